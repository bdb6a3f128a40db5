import { Command } from 'commander';
import type { SeedOptions, SeedResult } from '../../src/services/seed/index.ts';
import { withDatabase } from '../access/database.ts';
import { FailedError, UsageError } from '../errors.ts';
import { time, wholeNumber } from '../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../output/emit.ts';
import { counted } from '../output/number.ts';
import { createProgress } from '../output/progress.ts';
import { stopSignal } from '../stop-signal.ts';
import { print } from '../terminal.ts';

type Flags = Pick<SeedOptions, 'issues' | 'conversations' | 'messagesPerConversation' | 'randomSeed'> &
  Format & { readonly until?: string; readonly append?: boolean };

/** The generator of random numbers takes 32 bits. */
const largestSeed = 2 ** 32 - 1;
/** Of two years, a longer talk would fill more. */
const mostMessages = 1_000;

/** `backoffice seed`: data to look at, as much as is wanted. */
export function seedCommand(): Command {
  const command = new Command('seed')
    .description('fill an empty database with believable data')
    .option('--issues <number>', 'how many issues', wholeNumber(0), 500)
    .option('--conversations <number>', 'how many conversations', wholeNumber(0), 40)
    .option(
      '--messages-per-conversation <number>',
      'how many messages each has, on average',
      wholeNumber(1, mostMessages),
      4,
    )
    .option('--random-seed <number>', 'another number makes other data', wholeNumber(0, largestSeed), 1)
    .option('--until <time>', 'when the data ends; by default, at the start of this hour', time)
    .option('--append', 'add to a database that has content')
    .addHelpText(
      'after',
      `
The same numbers, --random-seed and --until make the same rows again. Ctrl-C stops after the batch under way: what is
there by then is whole.

Examples:
  backoffice seed
  backoffice seed --issues 1000000 --conversations 10000 --messages-per-conversation 100
  backoffice seed --random-seed 7 --until 2026-07-01T00:00:00Z
  backoffice seed --append --random-seed 2 --issues 5000`,
    );
  return withFormats(command).action(async ({ json, append, ...flags }: Flags) => {
    const until = flags.until ?? startOfHour();
    if (until > new Date().toISOString()) throw new UsageError('--until takes a time that is past.');
    const { seed } = await import('../../src/services/seed/index.ts');
    const stop = stopSignal();
    const progress = createProgress();
    const options = { ...flags, until, append: append === true, stop, onProgress: progress.show };
    const made = await withDatabase(command, (databaseUrl) => seed(databaseUrl, options)).finally(
      progress.end,
    );
    if (isShort(made, flags))
      throw new FailedError(`Stopped. There is what was made by then: ${list(made)}.`);
    const { randomSeed } = flags;
    await emitChange({ ...made, randomSeed, until }, json === undefined ? {} : { json }, () => {
      print(`Made ${list(made)}.`);
      print(`The same again: --random-seed ${randomSeed} --until ${until}`);
    });
  });
}

/** Runs within an hour make the same by themselves, and the newest charts are not empty. */
function startOfHour(): string {
  return new Date(new Date().setUTCMinutes(0, 0, 0)).toISOString();
}

function isShort(made: SeedResult, { issues, conversations }: Flags): boolean {
  return made.issues < issues || made.conversations < conversations;
}

function list(made: SeedResult): string {
  return [
    counted(made.issues, 'issue'),
    `${counted(made.conversations, 'conversation')} with ${counted(made.messages, 'message')}`,
    counted(made.settings, 'setting'),
    counted(made.tokenUsageRecords, 'record of token usage', 'records of token usage'),
    counted(made.scrapingRuns, 'scraping run'),
    counted(made.issueLinks, 'link of an issue to a conversation', 'links of issues to conversations'),
  ].join(', ');
}
