import type { Settings } from '../../contract/operations/settings.ts';
import { type BulkConnection, inTransaction } from '../../db/seed/bulk-copy.ts';
import type { SeedIssue, SeedMessage, SeedUsage } from '../../db/seed/seed-rows.ts';
import {
  copyConversations,
  copyIssues,
  copyMessages,
  copyRunErrors,
  copyRuns,
  copyUsage,
  insertMissingSettings,
  takeMessageIds,
} from '../../db/seed/seed-tables.ts';
import type { RunWithErrors } from './activity.ts';
import type { SeedThread } from './conversations.ts';

/** Rows per transaction: so many that the triggers, which run once per statement, hardly count. */
const batchSize = 25_000;

/** Whether to go on, and whom to tell. */
export interface Course {
  /** Ends the work after the batch under way. */
  readonly stop: AbortSignal;
  /** Told how far it came: at the start, and after each batch. */
  readonly onBatch: (done: number) => void;
}

/** What is of a fixed size. */
export interface Activity {
  readonly settings: Settings;
  readonly usage: readonly SeedUsage[];
  readonly runs: readonly RunWithErrors[];
}

/**
 * Loads what is of a fixed size, in one transaction.
 *
 * @returns how many settings were added; those that are there already stay as they are
 */
export async function loadActivity(
  connection: BulkConnection,
  { settings, usage, runs }: Activity,
  until: string,
): Promise<number> {
  return await inTransaction(connection, async () => {
    await copyUsage(connection, usage);
    await copyRuns(
      connection,
      runs.map(({ run }) => run),
    );
    await copyRunErrors(
      connection,
      runs.flatMap(({ errors }) => errors),
    );
    return await insertMissingSettings(connection, settings, until);
  });
}

/**
 * Loads issues, a batch per transaction.
 *
 * @returns how many
 */
export async function loadIssues(
  connection: BulkConnection,
  issues: Iterator<SeedIssue>,
  { stop, onBatch }: Course,
): Promise<number> {
  let done = 0;
  onBatch(done);
  while (!stop.aborted) {
    const loaded = await inTransaction(connection, () => copyIssues(connection, take(issues, batchSize)));
    if (loaded === 0) break;
    done += loaded;
    onBatch(done);
  }
  return done;
}

/**
 * Loads conversations with their messages, some whole ones per transaction.
 *
 * @returns how many of both
 */
export async function loadThreads(
  connection: BulkConnection,
  threads: Iterator<SeedThread>,
  { stop, onBatch }: Course,
): Promise<{ conversations: number; messages: number }> {
  const done = { conversations: 0, messages: 0 };
  onBatch(done.conversations);
  while (!stop.aborted) {
    const batch = takeThreads(threads);
    if (batch.length === 0) break;
    const size = sizeOf(batch);
    await inTransaction(connection, async () => {
      await copyConversations(
        connection,
        batch.map(({ conversation }) => conversation),
      );
      await copyMessages(connection, messagesOf(batch, await takeMessageIds(connection, size)));
    });
    done.conversations += batch.length;
    done.messages += size;
    onBatch(done.conversations);
  }
  return done;
}

/** The next rows, made as they are asked for. A `for` over the iterator itself would end it with the first batch. */
function* take<Row>(rows: Iterator<Row>, count: number): Generator<Row> {
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = rows.next();
    if (done) return;
    yield value;
  }
}

/** The next conversations, up to the first with which their rows fill a batch. */
function takeThreads(threads: Iterator<SeedThread>): SeedThread[] {
  const batch: SeedThread[] = [];
  let rows = 0;
  for (const thread of take(threads, batchSize)) {
    batch.push(thread);
    rows += 1 + thread.length;
    if (rows >= batchSize) break;
  }
  return batch;
}

/** The messages of threads, with ids in their order. */
function* messagesOf(threads: readonly SeedThread[], ids: readonly number[]): Generator<SeedMessage> {
  let before: number | null = null;
  const nextIds = ids.values();
  for (const { messages } of threads) {
    for (const { was_drafted, ...message } of messages) {
      const id: number = nextIds.next().value ?? 0;
      yield { ...message, id, from_draft_of: was_drafted ? before : null };
      before = id;
    }
  }
}

function sizeOf(threads: readonly SeedThread[]): number {
  return threads.reduce((sum, { length }) => sum + length, 0);
}
