import type { Settings } from '../../contract/known-settings/settings.ts';
import { inTransaction } from '../../db/connection/own-connection.ts';
import type { BulkConnection } from '../../db/seed/bulk-copy.ts';
import type { SeedIssue, SeedMessage, SeedUsage } from '../../db/seed/seed-rows.ts';
import {
  addComments,
  assignNewest,
  copyConversations,
  copyIssues,
  copyMessages,
  copyRunErrors,
  copyRuns,
  copyUsage,
  insertMissingSavedReplies,
  insertMissingSettings,
  takeMessageIds,
} from '../../db/seed/seed-tables.ts';
import { conversationComments, issueComments, savedReplies } from './collaboration.ts';
import type { ConversationWithMessages } from './conversations.ts';
import type { RunWithErrors } from './scraping-runs.ts';

/** Rows per transaction. The triggers run once per statement, so it is large; an interrupt waits for it, so not too large. */
const batchSize = 5_000;

export interface LoadOptions {
  /** Ends the work after the current batch. */
  readonly stop: AbortSignal;
  /** Receives the number of rows loaded so far: at the start, and after each batch. */
  readonly onBatch: (done: number) => void;
}

/** The data whose amount does not depend on the options. */
export interface FixedData {
  readonly settings: Settings;
  readonly usage: readonly SeedUsage[];
  readonly runs: readonly RunWithErrors[];
}

/**
 * Loads the fixed data in one transaction.
 *
 * @returns the number of settings added; existing settings are kept
 */
export async function loadFixedData(
  connection: BulkConnection,
  { settings, usage, runs }: FixedData,
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
 * Loads issues, one batch per transaction.
 *
 * @returns the number of issues loaded
 */
export async function loadIssues(
  connection: BulkConnection,
  issues: Iterator<SeedIssue>,
  { stop, onBatch }: LoadOptions,
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
 * Loads conversations with their messages, one batch per transaction. A conversation is never split.
 *
 * @returns the numbers of conversations and messages loaded
 */
export async function loadConversations(
  connection: BulkConnection,
  conversations: Iterator<ConversationWithMessages>,
  { stop, onBatch }: LoadOptions,
): Promise<{ conversations: number; messages: number }> {
  const done = { conversations: 0, messages: 0 };
  onBatch(done.conversations);
  while (!stop.aborted) {
    const batch = takeBatch(conversations);
    if (batch.length === 0) break;
    const messageCount = countMessages(batch);
    await inTransaction(connection, async () => {
      await copyConversations(
        connection,
        batch.map(({ conversation }) => conversation),
      );
      await copyMessages(connection, messagesOf(batch, await takeMessageIds(connection, messageCount)));
    });
    done.conversations += batch.length;
    done.messages += messageCount;
    onBatch(done.conversations);
  }
  return done;
}

/**
 * Loads what the team does with the example issues and conversations, in one transaction.
 *
 * @returns how many rows it assigned and added
 */
export async function loadCollaboration(
  connection: BulkConnection,
): Promise<{ assigned: number; comments: number; savedReplies: number }> {
  return await inTransaction(connection, async () => ({
    assigned: await assignNewest(connection),
    comments: await addComments(connection, { issues: issueComments, conversations: conversationComments }),
    savedReplies: await insertMissingSavedReplies(connection, savedReplies),
  }));
}

/** Yields the next rows, made on demand. A `for` loop over the iterator itself would close it after the first batch. */
function* take<Row>(rows: Iterator<Row>, count: number): Generator<Row> {
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = rows.next();
    if (done) return;
    yield value;
  }
}

/** Takes conversations until their rows fill a batch. */
function takeBatch(conversations: Iterator<ConversationWithMessages>): ConversationWithMessages[] {
  const batch: ConversationWithMessages[] = [];
  let rows = 0;
  for (const conversation of take(conversations, batchSize)) {
    batch.push(conversation);
    rows += 1 + conversation.length;
    if (rows >= batchSize) break;
  }
  return batch;
}

/** Yields the messages of the conversations, with ids in their order. */
function* messagesOf(
  conversations: readonly ConversationWithMessages[],
  ids: readonly number[],
): Generator<SeedMessage> {
  let previousId: number | null = null;
  const nextIds = ids.values();
  for (const { messages } of conversations) {
    for (const { was_drafted, ...message } of messages) {
      const id: number = nextIds.next().value ?? 0;
      yield { ...message, id, from_draft_of: was_drafted ? previousId : null };
      previousId = id;
    }
  }
}

function countMessages(conversations: readonly ConversationWithMessages[]): number {
  return conversations.reduce((sum, { length }) => sum + length, 0);
}
