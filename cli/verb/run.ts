import type { Access } from '../access/access.ts';
import { withAccess } from '../access/with-access.ts';
import { readTexts } from '../input/long-text.ts';
import { isForPeople } from '../output/formats.ts';
import type { BackofficeCommand } from './command.ts';
import { type Call, isList, outputParameters, type Verb } from './verb.ts';

/** Runs a verb with what commander has parsed. */
export async function run(command: BackofficeCommand, verb: Verb): Promise<void> {
  const texts = Object.keys(verb.params).filter((name) => verb.params[name]?.isText);
  const given: Call['given'] = await readTexts(command.read(verb.params), texts);
  const { noPager, web, ...format } = command.read(outputParameters(verb));
  const use = (run: (call: Call) => Promise<void>) =>
    withAccessOnDemand(command, (access) =>
      run({ given, format, command, access, open: (useOf) => useOf(access) }),
    );
  if (web === true && verb.web !== undefined) {
    const { params, web: page } = verb;
    const { openWebPage } = await import('../output/web-page.ts');
    await use((call) => openWebPage(call, params, page));
  } else if (isList(verb) && noPager === undefined && isForPeople(format)) {
    const { inPager } = await import('../output/pager.ts');
    await inPager(() => use(verb.run));
  } else await use(verb.run);
}

/** Runs work with access that opens when it is first used, and closes after the work. */
async function withAccessOnDemand(
  command: BackofficeCommand,
  work: (access: Access) => Promise<void>,
): Promise<void> {
  let opened: Promise<Access> | undefined;
  let closed: Promise<void> | undefined;
  const open = () => {
    opened ??= new Promise((resolve, reject) => {
      closed = withAccess(command, async (access) => {
        resolve(access);
        await done;
      });
      closed.catch(reject);
    });
    return opened;
  };
  const done = work({
    call: async (...call) => await (await open()).call(...call),
    stream: async (...call) => await (await open()).stream(...call),
    async *follow(options) {
      yield* (await open()).follow(options);
    },
  });
  await done.finally(() => closed);
}
