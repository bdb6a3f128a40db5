import { withAccess } from '../access/with-access.ts';
import { readTexts, withText } from '../input/long-text.ts';
import { isForPeople } from '../output/formats.ts';
import type { BackofficeCommand } from './command.ts';
import type { Parameters } from './parameters.ts';
import { type Call, isList, outputParameters, type Verb } from './verb.ts';

/** Runs a verb with what commander has parsed. */
export async function run(command: BackofficeCommand, verb: Verb): Promise<void> {
  const given = await readInput(verb.params, command.read(verb.params));
  const { noPager, web, ...format } = command.read(outputParameters(verb));
  const call: Call = { given, format, command, open: (use) => withAccess(command, use) };
  if (web === true && verb.web !== undefined) {
    const { openWebPage } = await import('../output/web-page.ts');
    await openWebPage(call, verb.params, verb.web);
  } else if (isList(verb) && noPager === undefined && isForPeople(format)) {
    const { inPager } = await import('../output/pager.ts');
    await inPager(() => runWritten(verb, call));
  } else await runWritten(verb, call);
}

/** Replaces `-` by the text of standard input. */
async function readInput(params: Parameters, given: Call['given']): Promise<Call['given']> {
  return await readTexts(
    given,
    Object.keys(params).filter((name) => params[name]?.isText),
  );
}

/** Runs a verb with the text that the user writes, if it takes one. If that fails, the text is kept in a file. */
async function runWritten(verb: Verb, call: Call): Promise<void> {
  const [name, parameter] =
    Object.entries(verb.params).find(([, { written }]) => written !== undefined) ?? [];
  if (name === undefined || parameter?.written === undefined) return await verb.run(call);
  await withText(call.given[name] as string | undefined, parameter.written, async (text) => {
    await verb.run({ ...call, given: { ...call.given, [name]: text } });
  });
}
