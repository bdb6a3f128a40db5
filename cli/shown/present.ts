import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Format, isForPeople } from '../output/formats.ts';
import type { WebPage } from './web-page.ts';

/** How a list is shown, beside its format. */
interface ShowOptions extends Format {
  /** True, or the seconds between two reads. */
  readonly watch?: true | number;
  readonly pager: boolean;
  readonly web?: true;
}

/**
 * Adds `--watch`, `--no-pager` and, if the web dashboard has a page for it, `--web` to a command, and runs its action as
 * they say.
 */
export function withShowOptions<C extends Command>(command: C, page?: WebPage): C {
  command
    .addOption(
      new Option(
        '--watch [seconds]',
        'show it again whenever it changes, until Ctrl-C; with a number, look every so many seconds',
      ).argParser(watchSeconds),
    )
    .option('--no-pager', 'do not show long tables in a pager');
  if (page !== undefined) withWebPage(command, page);
  return around(command, (run) => present(command, run));
}

/** Adds `--web` to a command. */
export function withWebPage<C extends Command>(command: C, page: WebPage): C {
  command.addOption(
    new Option('--web', 'open it in the web dashboard').conflicts([
      ...['json', 'jsonl', 'csv', 'jq', 'template', 'columns', 'quiet', 'watch'],
    ]),
  );
  return around(command, async (run, args) => {
    if (command.opts<ShowOptions>().web !== true) return await run();
    const { openWebPage } = await import('./web-page.ts');
    await openWebPage(command, page, args);
  });
}

async function present(command: Command, run: () => Promise<void>): Promise<void> {
  const { watch, pager, ...format } = command.opts<ShowOptions>();
  if (watch !== undefined) {
    const { watchCommand } = await import('./watch.ts');
    await watchCommand(command, watch === true ? undefined : watch, run);
  } else if (pager && isForPeople(format)) {
    const { inPager } = await import('./pager.ts');
    await inPager(run);
  } else await run();
}

type Run = () => Promise<void>;

/** Makes the action of a command, which is set later, run within something else. */
function around<C extends Command>(
  command: C,
  outer: (run: Run, args: readonly unknown[]) => Promise<void>,
): C {
  const setAction = command.action.bind(command);
  command.action = (action) =>
    setAction(async (...args: unknown[]) => {
      await outer(async () => void (await action.apply(command, args as never)), args);
    });
  return command;
}

function watchSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d)?$/.test(text) && seconds >= 0.5) return seconds;
  throw new InvalidArgumentError('Must be a number of seconds, at least 0.5.');
}
