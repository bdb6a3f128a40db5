import { BackofficeError } from '../../contract/errors.ts';
import { inTransaction, withConnection } from '../../db/connection/own-connection.ts';
import {
  type BulkConnection,
  copyRows,
  hasContent,
  hasTables,
  insertMissing,
  isDuplicateKey,
  noteExamples,
  reserveForSeed,
  takeIds,
} from '../../db/seed/seed.ts';
import { makeConversation } from './conversations.ts';
import { makeIssue } from './issues.ts';
import { createTraffic, hourMs, Random, timeAt } from './random.ts';
import { addTeamwork } from './team.ts';
import { makeRunErrors, makeRuns, makeUsage, usageSettings } from './usage.ts';

export interface SeedOptions {
  readonly issues: number;
  readonly conversations: number;
  /** The average. */
  readonly messagesPerConversation: number;
  /** The same seed, time and numbers make the same rows. */
  readonly randomSeed: number;
  /** When the data ends, ISO 8601. It starts about two years earlier. */
  readonly until: string;
  readonly append: boolean;
  /** Creates the tables of a database that has none. If undefined, the seed refuses such a database. */
  readonly migrate?: (() => Promise<unknown>) | undefined;
  /** Ends the work after the current batch. */
  readonly stop: AbortSignal;
  /** Called at the start of each part and after each of its batches. */
  readonly onProgress: (progress: SeedProgress) => void;
}

export interface SeedProgress {
  readonly what: 'issues' | 'conversations';
  readonly done: number;
  readonly total: number;
}

/** The number of rows made, by table. `assigned` and `labelled` count issues and conversations. */
export type SeedResult = Awaited<ReturnType<typeof fill>>;

const settings = {
  site_name: 'Example',
  contact_email: 'hello@example.com',
  timezone: 'UTC',
  ...usageSettings,
};

/**
 * Fills a database with example data, one transaction per batch: a stop or a failure leaves the finished
 * ones. Refuses a database that has content, unless `append` is set, or these rows already. Returns the
 * number of rows.
 */
export async function seed(databaseUrl: string, options: SeedOptions): Promise<SeedResult> {
  return await withConnection(databaseUrl, async (connection) => {
    if (!(await reserveForSeed(connection))) throw conflict(alreadyRunning);
    if (!(await hasTables(connection))) {
      if (options.migrate === undefined) throw new BackofficeError({ code: 'failed', text: noTables });
      await options.migrate();
    }
    if (!options.append && (await hasContent(connection))) throw conflict(hasContentAlready);
    return await fill(connection, options);
  });
}

const conflict = (text: string, cause?: unknown) =>
  new BackofficeError({ code: 'conflict', text }, { cause });
const alreadyRunning = 'Another `backoffice seed` is running on this database. Wait until it has finished.';
const noTables = 'The database has no tables. Run `backoffice migrate up`.';
const hasContentAlready =
  'The database already has issues or conversations. Choose an empty one with BACKOFFICE_DATA or DATABASE_URL, ' +
  'or add to this one with --append.';
const hasRowsAlready = 'The database already has these rows. Choose another random seed.';

/** Rows per transaction. The triggers run once per statement, so it is large; an interrupt waits for it, so not too large. */
const batchSize = 5_000;
/** Even a small data set has conversations of today, so that some visitors wait for an answer. */
const conversationsOfToday = 5;

async function fill(connection: BulkConnection, options: SeedOptions) {
  const until = Date.parse(options.until);
  // The order of the forks decides which rows a seed makes.
  const random = new Random(options.randomSeed);
  const traffic = createTraffic(random.fork(), until);
  // First, so that a second run with the same seed fails before it has changed anything.
  const fixed = await inTransaction(connection, () => addFixedData(connection, random.fork(), options.until));

  const talk = random.fork();
  let messages = 0;
  const conversations = await load(connection, options, {
    what: 'conversations',
    size: Math.ceil(batchSize / (1 + options.messagesPerConversation)),
    make(index, total) {
      const isOfToday = index >= total - conversationsOfToday;
      // The chat grows faster than the issues: half of the conversations are from the last five months.
      const fraction = 1 - (1 - (index + talk.float()) / total) ** 2;
      const endedAt = isOfToday ? until - talk.integer(1, 6 * hourMs) : timeAt(traffic, fraction).time;
      return makeConversation(talk, endedAt, until, options.messagesPerConversation);
    },
    async copy(batch) {
      messages += await copyConversations(connection, batch);
    },
  });
  const reports = random.fork();
  const issues = await load(connection, options, {
    what: 'issues',
    size: batchSize,
    make: (index, total) => makeIssue(reports, traffic, (index + reports.float()) / total),
    async copy(batch) {
      const ids = await takeIds(connection, 'issues', batch.length);
      const rows = batch.map((issue, index) => ({ id: ids[index] ?? null, ...issue }));
      await copyRows(connection, 'issues', rows);
      await noteExamples(connection, 'issues', ids);
    },
  });
  // Existing issues and conversations are not example data, so a seed does not link, assign or comment on them.
  const teamwork = options.append
    ? { issueLinks: 0, assigned: 0, labelled: 0, comments: 0, savedReplies: 0 }
    : await inTransaction(connection, () => addTeamwork(connection));
  return { issues, conversations, messages, ...teamwork, ...fixed };
}

interface Part<Item> {
  readonly what: SeedProgress['what'];
  readonly size: number;
  /** Makes an item. Called in the order of the indexes. */
  readonly make: (index: number, total: number) => Item;
  readonly copy: (batch: readonly Item[]) => Promise<void>;
}

/** Makes items and copies them, one batch per transaction. Returns the number of items. */
async function load<Item>(
  connection: BulkConnection,
  { stop, onProgress, ...options }: SeedOptions,
  { what, size, make, copy }: Part<Item>,
): Promise<number> {
  const total = options[what];
  let done = 0;
  onProgress({ what, done, total });
  while (done < total && !stop.aborted) {
    const batch = Array.from({ length: Math.min(size, total - done) }, (_, at) => make(done + at, total));
    await inTransaction(connection, () => copy(batch));
    done += batch.length;
    onProgress({ what, done, total });
  }
  return done;
}

/** Adds the data whose amount does not depend on the options. Existing settings are kept. */
async function addFixedData(connection: BulkConnection, random: Random, until: string) {
  const usage = makeUsage(random, Date.parse(until));
  const runs = makeRuns(random, Date.parse(until));
  const missing = Object.entries(settings).map(([setting_key, setting_value]) => ({
    setting_key,
    setting_value,
    updated_at: until,
  }));
  try {
    await copyRows(connection, 'token_usage_records', usage);
    await copyRows(connection, 'scraping_runs', runs);
  } catch (error) {
    // Ids depend on the seed and the time, so the same seed and time make the same ids.
    throw isDuplicateKey(error) ? conflict(hasRowsAlready, error) : error;
  }
  await copyRows(connection, 'scraping_errors', makeRunErrors(random, runs));
  await noteExamples(
    connection,
    'token_usage_records',
    usage.map(({ record_id }) => record_id),
  );
  await noteExamples(
    connection,
    'scraping_runs',
    runs.map(({ run_id }) => run_id),
  );
  const added = await insertMissing(connection, 'settings', missing);
  return { settings: added, tokenUsageRecords: usage.length, scrapingRuns: runs.length };
}

/** Copies conversations, then their messages, with ids in their order. Returns the number of messages. */
async function copyConversations(
  connection: BulkConnection,
  batch: readonly ReturnType<typeof makeConversation>[],
): Promise<number> {
  const messages = batch.flatMap((made) => made.messages);
  const ids = await takeIds(connection, 'conversation_messages', messages.length);
  const rows = messages.map(({ was_drafted, ...message }, index) => ({
    ...message,
    id: ids[index] ?? null,
    from_draft_of: was_drafted ? (ids[index - 1] ?? null) : null,
  }));
  await copyRows(
    connection,
    'conversations',
    batch.map(({ conversation }) => conversation),
  );
  await copyRows(connection, 'conversation_messages', rows);
  await noteExamples(
    connection,
    'conversations',
    batch.map(({ conversation }) => conversation.id),
  );
  return rows.length;
}
