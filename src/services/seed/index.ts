import { BackofficeError } from '../../contract/errors.ts';
import { inTransaction, withConnection } from '../../db/connection/own-connection.ts';
import { type BulkConnection, copyRows, isDuplicateKey } from '../../db/seed/copy-rows.ts';
import { hasContent, hasTables, insertMissing, reserveForSeed, takeMessageIds } from '../../db/seed/seed.ts';
import { makeConversations } from './conversations.ts';
import { makeIssues } from './issues.ts';
import { Random } from './random.ts';
import { addTeamwork } from './team.ts';
import { createTraffic } from './traffic.ts';
import { makeRuns, makeUsage, usageSettings } from './usage.ts';

export interface SeedOptions {
  readonly issues: number;
  readonly conversations: number;
  /** The average. */
  readonly messagesPerConversation: number;
  /** The same seed, time and numbers make the same rows. */
  readonly randomSeed: number;
  /** When the data ends, ISO 8601. It starts about two years earlier. */
  readonly until: string;
  /** Whether to add to a database that has content. */
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

/** The number of rows made, by table. */
export interface SeedResult {
  readonly issues: number;
  readonly conversations: number;
  readonly messages: number;
  readonly issueLinks: number;
  /** Issues and conversations that were assigned to admins. */
  readonly assigned: number;
  readonly comments: number;
  readonly savedReplies: number;
  readonly settings: number;
  readonly tokenUsageRecords: number;
  readonly scrapingRuns: number;
}

const settings = {
  site_name: 'Example',
  contact_email: 'hello@example.com',
  timezone: 'UTC',
  ...usageSettings,
};

/**
 * Fills a database with realistic example data, one transaction per batch. If it is stopped or fails, the finished
 * batches remain and the current one leaves nothing.
 *
 * @returns the number of rows made, which is less than requested after a stop
 * @throws BackofficeError `conflict` if the database has content and `append` is not set, if it has these rows already, or
 *   if another seed is running
 */
export async function seed(databaseUrl: string, options: SeedOptions): Promise<SeedResult> {
  return await withConnection(databaseUrl, async (connection) => {
    await reserve(connection);
    if (!(await hasTables(connection))) await options.migrate?.();
    await checkReady(connection, options.append);
    return await fill(connection, options);
  });
}

async function reserve(connection: BulkConnection): Promise<void> {
  if (await reserveForSeed(connection)) return;
  throw new BackofficeError({
    code: 'conflict',
    text: 'Another `backoffice seed` is running on this database. Wait until it has finished.',
  });
}

async function checkReady(connection: BulkConnection, append: boolean): Promise<void> {
  if (!(await hasTables(connection))) {
    throw new BackofficeError({
      code: 'failed',
      text: 'The database has no tables. Run `backoffice migrate up`.',
    });
  }
  if (append || !(await hasContent(connection))) return;
  throw new BackofficeError({
    code: 'conflict',
    text:
      'The database already has issues or conversations. Choose an empty one with BACKOFFICE_DATA or DATABASE_URL, ' +
      'or add to this one with --append.',
  });
}

async function fill(connection: BulkConnection, options: SeedOptions): Promise<SeedResult> {
  const until = Date.parse(options.until);
  // The order of the forks decides which rows a seed makes.
  const random = new Random(options.randomSeed);
  const traffic = createTraffic(random.fork(), until);
  // First, so that a second run with the same seed fails before it has changed anything.
  const fixed = await addFixedData(connection, random.fork(), options.until);

  const { conversations, messagesPerConversation, issues } = options;
  let messages = 0;
  const madeConversations = await load(
    connection,
    {
      what: 'conversations',
      total: conversations,
      items: makeConversations(random.fork(), traffic, conversations, messagesPerConversation),
      rowsOf: (item) => 1 + item.messages.length,
      async copy(batch) {
        messages += await copyConversations(connection, batch);
      },
    },
    options,
  );
  const madeIssues = await load(
    connection,
    {
      what: 'issues',
      total: issues,
      items: makeIssues(random.fork(), traffic, issues),
      rowsOf: () => 1,
      copy: (batch) => copyRows(connection, 'issues', batch),
    },
    options,
  );
  // Existing issues and conversations are not example data, so a seed does not link, assign or comment on them.
  const teamwork = options.append
    ? { issueLinks: 0, assigned: 0, comments: 0, savedReplies: 0 }
    : await inTransaction(connection, () => addTeamwork(connection));
  return { issues: madeIssues, conversations: madeConversations, messages, ...teamwork, ...fixed };
}

/** Adds the data whose amount does not depend on the options, in one transaction. Existing settings are kept. */
async function addFixedData(connection: BulkConnection, random: Random, until: string) {
  const usage = [...makeUsage(random, Date.parse(until))];
  const runs = [...makeRuns(random, Date.parse(until))];
  const missing = Object.entries(settings).map(([setting_key, setting_value]) => ({
    setting_key,
    setting_value,
    updated_at: until,
  }));
  const work = inTransaction(connection, async () => {
    await copyRows(connection, 'token_usage_records', usage);
    await copyRows(
      connection,
      'scraping_runs',
      runs.map(({ run }) => run),
    );
    await copyRows(
      connection,
      'scraping_errors',
      runs.flatMap(({ errors }) => errors),
    );
    return await insertMissing(connection, 'settings', missing);
  });
  const added = await work.catch(explainDuplicate);
  return { settings: added, tokenUsageRecords: usage.length, scrapingRuns: runs.length };
}

/** Explains a duplicate id. Ids depend on the seed and the time, so the same seed and time make the same ids. */
function explainDuplicate(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new BackofficeError(
    { code: 'conflict', text: 'The database already has these rows. Choose another random seed.' },
    { cause: error },
  );
}

/** Rows per transaction. The triggers run once per statement, so it is large; an interrupt waits for it, so not too large. */
const batchSize = 5_000;

interface Part<Item> extends Omit<SeedProgress, 'done'> {
  readonly items: Iterable<Item>;
  /** Returns how many rows the item is. An item is never split. */
  readonly rowsOf: (item: Item) => number;
  readonly copy: (batch: readonly Item[]) => Promise<void>;
}

/**
 * Loads items, one batch per transaction.
 *
 * @returns the number of items loaded
 */
async function load<Item>(
  connection: BulkConnection,
  { what, total, items, rowsOf, copy }: Part<Item>,
  { stop, onProgress }: Pick<SeedOptions, 'stop' | 'onProgress'>,
): Promise<number> {
  let done = 0;
  onProgress({ what, done, total });
  for (const batch of batchesOf(items, rowsOf)) {
    if (stop.aborted) break;
    await inTransaction(connection, () => copy(batch));
    done += batch.length;
    onProgress({ what, done, total });
  }
  return done;
}

function* batchesOf<Item>(items: Iterable<Item>, rowsOf: (item: Item) => number): Generator<Item[]> {
  let batch: Item[] = [];
  let rows = 0;
  for (const item of items) {
    batch.push(item);
    rows += rowsOf(item);
    if (rows < batchSize) continue;
    yield batch;
    batch = [];
    rows = 0;
  }
  if (batch.length > 0) yield batch;
}

type MadeConversation = ReturnType<typeof makeConversations> extends Iterable<infer Item> ? Item : never;

/** Copies conversations, then their messages, with ids in their order. Returns the number of messages. */
async function copyConversations(
  connection: BulkConnection,
  batch: readonly MadeConversation[],
): Promise<number> {
  const messages = batch.flatMap((item) => item.messages);
  const ids = await takeMessageIds(connection, messages.length);
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
  return rows.length;
}
