import { BackofficeError } from '../../contract/errors.ts';
import { withConnection } from '../../db/connection/own-connection.ts';
import { type BulkConnection, isDuplicateKey } from '../../db/seed/bulk-copy.ts';
import { hasContent, hasTables, linkIssues, reserveForSeed } from '../../db/seed/seed-tables.ts';
import { makeConversations } from './conversations.ts';
import { makeIssues } from './issues.ts';
import { seedLinks } from './links.ts';
import { loadCollaboration, loadConversations, loadFixedData, loadIssues } from './load.ts';
import { agentEmail, agents } from './people.ts';
import { createRandom } from './random.ts';
import { makeRuns } from './scraping-runs.ts';
import { makeUsage, usageSettings } from './token-usage.ts';
import { createTraffic } from './traffic.ts';

export interface SeedOptions {
  readonly issues: number;
  readonly conversations: number;
  /** The average. */
  readonly messagesPerConversation: number;
  /** The same seed, time and numbers make the same rows. */
  readonly randomSeed: number;
  /** When the data ends, ISO 8601. It starts two years earlier. */
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
  const { issues, conversations, messagesPerConversation, stop, onProgress } = options;
  const until = Date.parse(options.until);
  // The order of the forks decides which rows a seed makes.
  const random = createRandom(options.randomSeed);
  const traffic = createTraffic(random.fork(), until);

  const fixedRandom = random.fork();
  const usage = [...makeUsage(fixedRandom, until)];
  const runs = [...makeRuns(fixedRandom, until)];
  // First, so that a second run with the same seed fails before it has changed anything.
  const addedSettings = await loadFixedData(connection, { settings, usage, runs }, options.until).catch(
    explainDuplicate,
  );

  const madeConversations = makeConversations(random.fork(), traffic, {
    count: conversations,
    messages: messagesPerConversation,
    until,
  });
  const loadedConversations = await loadConversations(connection, madeConversations, {
    stop,
    onBatch: (done) => onProgress({ what: 'conversations', done, total: conversations }),
  });
  const loadedIssues = await loadIssues(connection, makeIssues(random.fork(), traffic, issues, until), {
    stop,
    onBatch: (done) => onProgress({ what: 'issues', done, total: issues }),
  });
  return {
    issues: loadedIssues,
    ...loadedConversations,
    // Existing issues and conversations are not example data, so a seed does not link, assign or comment on them.
    issueLinks: options.append ? 0 : await linkIssues(connection, seedLinks, agentEmail(agents[0])),
    ...(options.append ? { assigned: 0, comments: 0, savedReplies: 0 } : await loadCollaboration(connection)),
    settings: addedSettings,
    tokenUsageRecords: usage.length,
    scrapingRuns: runs.length,
  };
}

/** Explains a duplicate id. Ids depend on the seed and the time, so the same seed and time make the same ids. */
function explainDuplicate(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new BackofficeError(
    { code: 'conflict', text: 'The database already has these rows. Choose another random seed.' },
    { cause: error },
  );
}
