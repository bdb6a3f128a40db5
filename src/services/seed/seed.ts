import { BackofficeError } from '../../contract/errors.ts';
import { type BulkConnection, isDuplicateKey, withBulkConnection } from '../../db/seed/bulk-copy.ts';
import { hasContent, hasTables, linkIssues } from '../../db/seed/seed-tables.ts';
import { makeRuns, makeUsage, usageSettings } from './activity.ts';
import { loadActivity, loadIssues, loadThreads } from './batches.ts';
import { makeThreads } from './conversations.ts';
import { makeIssues } from './issues.ts';
import { seedLinks } from './links.ts';
import { agents, mailboxOf } from './people.ts';
import { createRandom } from './random.ts';
import { createRhythm } from './rhythm.ts';

export interface SeedOptions {
  readonly issues: number;
  readonly conversations: number;
  /** On average. */
  readonly messagesPerConversation: number;
  /** The same seed, time and numbers make the same rows. */
  readonly randomSeed: number;
  /** When the data ends, ISO 8601. Everything is of the two years before. */
  readonly until: string;
  /** Whether to add to what the database holds. */
  readonly append: boolean;
  /** Ends the work after the batch under way. */
  readonly stop: AbortSignal;
  /** Told at the start of each part, and after each batch of it. */
  readonly onProgress: (progress: SeedProgress) => void;
}

export interface SeedProgress {
  readonly what: 'issues' | 'conversations';
  readonly done: number;
  readonly total: number;
}

/** How much of what was made. */
export interface Seeded {
  readonly issues: number;
  readonly conversations: number;
  readonly messages: number;
  readonly issueLinks: number;
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
 * Fills a database with believable data, in batches of a transaction each. Where it is stopped or fails, the batches
 * before are there, whole, and nothing of the one under way.
 *
 * @returns how much was made: after a stop, less than asked for
 * @throws BackofficeError `conflict` where there is content and `append` is not set, or where these very rows are there
 */
export async function seed(databaseUrl: string, options: SeedOptions): Promise<Seeded> {
  return await withBulkConnection(databaseUrl, async (connection) => {
    await refuseUnready(connection, options.append);
    return await fill(connection, options);
  });
}

async function refuseUnready(connection: BulkConnection, append: boolean): Promise<void> {
  if (!(await hasTables(connection))) {
    throw new BackofficeError({
      code: 'failed',
      text: 'The database has no tables yet: run backoffice migrate up.',
    });
  }
  if (append || !(await hasContent(connection))) return;
  throw new BackofficeError({
    code: 'conflict',
    text:
      'The database has issues or conversations already: name an empty one (BACKOFFICE_DATA or DATABASE_URL), ' +
      'or add to it with --append.',
  });
}

async function fill(connection: BulkConnection, options: SeedOptions): Promise<Seeded> {
  const { issues, conversations, messagesPerConversation, stop, onProgress } = options;
  const until = Date.parse(options.until);
  const random = createRandom(options.randomSeed);
  const rhythm = createRhythm(random.fork(), until);

  const activity = random.fork();
  const usage = [...makeUsage(activity, until)];
  const runs = [...makeRuns(activity, until)];
  // First, because a second run with the same seed stops here, before it has changed anything.
  const addedSettings = await loadActivity(connection, { settings, usage, runs }, options.until).catch(
    explain,
  );

  const threads = makeThreads(random.fork(), rhythm, {
    count: conversations,
    messages: messagesPerConversation,
    until,
  });
  const talks = await loadThreads(connection, threads, {
    stop,
    onBatch: (done) => onProgress({ what: 'conversations', done, total: conversations }),
  });
  const reports = await loadIssues(connection, makeIssues(random.fork(), rhythm, issues, until), {
    stop,
    onBatch: (done) => onProgress({ what: 'issues', done, total: issues }),
  });
  return {
    issues: reports,
    ...talks,
    // What was there before is somebody's own, and nothing that a seed may link.
    issueLinks: options.append ? 0 : await linkIssues(connection, seedLinks, mailboxOf(agents[0])),
    settings: addedSettings,
    tokenUsageRecords: usage.length,
    scrapingRuns: runs.length,
  };
}

/** Ids come from the seed and the time, so rows of the same seed and time meet those that are there. */
function explain(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new BackofficeError(
    { code: 'conflict', text: 'These very rows are there already: choose another random seed.' },
    { cause: error },
  );
}
