import type { SeedResult } from '../../src/services/seed/index.ts';
import { readLocalConfig, withSchemaAccess } from '../access/database.ts';
import { StoppedError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { createProgress } from '../output/progress.ts';
import { print, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { yes } from '../verb/change.ts';
import { flag, number, or } from '../verb/parameters.ts';
import { type Call, verb } from '../verb/verb.ts';

/** The random number generator takes 32 bits. */
const maxRandomSeed = 2 ** 32 - 1;
/** The average of each conversation. */
const messagesPerConversation = 4;

/** Creates example data. */
export const seed = verb({
  params: {
    issues: or(number('number of issues', 0), 500),
    conversations: or(number('number of conversations', 0), 40),
    randomSeed: or(number('a different number creates different data', 0, maxRandomSeed), 1),
    append: flag('add to a database that has content'),
    remove: flag('remove the example data instead'),
    yes,
  },
  operations: ['exampleData.delete'],
  notes: [
    'The data ends at the start of this hour. Within the hour, the same numbers and --random-seed create the same rows again.\n' +
      'Ctrl-C stops after the current batch; the rows created until then are complete.',
    '--remove deletes what earlier runs have created, and nothing else: also what somebody has since written in an example issue\n' +
      'or conversation, but no setting or saved reply that somebody has changed.',
  ],
  examples: [
    'backoffice seed',
    'backoffice seed --issues 1000000 --conversations 10000',
    'backoffice seed --append --random-seed 2 --issues 5000',
    'backoffice seed --remove',
  ],
  async run({ given, format, open, command }) {
    const { append, remove, yes, ...amounts } = given;
    if (remove) return await removeExamples(open, format, yes);
    const { seed } = await import('../../src/services/seed/index.ts');
    const { migrateUp } = await import('../../src/db/migrate/migrate.ts');
    const until = startOfHour();
    const stop = stopSignal();
    const progress = createProgress();
    const isEmbedded = (await readLocalConfig(command)).databaseUrl === undefined;
    const created = await withSchemaAccess(command, async (schema) => {
      // The embedded database is this command's own. Another one is updated only when its operator says so.
      const migrate = isEmbedded ? () => migrateUp(schema) : undefined;
      return await seed(schema.runtimeUrl ?? schema.databaseUrl, {
        ...amounts,
        messagesPerConversation,
        until,
        append: append === true,
        stop,
        onProgress: progress.show,
        migrate,
      });
    }).finally(progress.end);
    if (created.issues < amounts.issues || created.conversations < amounts.conversations)
      throw new StoppedError(`Stopped after creating ${describe(created)}.`, stop);
    const { randomSeed } = amounts;
    await emitChange({ ...created, randomSeed, until }, format, () => print(`Created ${describe(created)}.`));
  },
});

async function removeExamples(open: Call['open'], format: Format, yes: true | undefined): Promise<void> {
  const question = 'Remove the example data, with all that was since written in it? This cannot be undone.';
  await confirm(question, yes);
  const removed = await open((access) => access.call('exampleData.delete'));
  await emitChange(removed, format, () => {
    const { deleted } = removed;
    print(
      deleted === 0 ? 'There is no example data.' : `Removed ${counted(deleted, 'row')} of example data.`,
    );
  });
}

/** Returns the start of this hour, so that the charts of recent times are not empty. */
function startOfHour(): string {
  return new Date(new Date().setUTCMinutes(0, 0, 0)).toISOString();
}

function describe(created: SeedResult): string {
  return [
    counted(created.issues, 'issue'),
    `${counted(created.conversations, 'conversation')} with ${counted(created.messages, 'message')}`,
    counted(created.settings, 'setting'),
    counted(created.tokenUsageRecords, 'token usage record'),
    counted(created.scrapingRuns, 'scraping run'),
    counted(
      created.issueLinks,
      'link between an issue and a conversation',
      'links between issues and conversations',
    ),
    counted(created.assigned, 'assignment'),
    counted(created.labelled, 'row with labels', 'rows with labels'),
    counted(created.comments, 'comment'),
    counted(created.savedReplies, 'saved reply', 'saved replies'),
  ].join(', ');
}
