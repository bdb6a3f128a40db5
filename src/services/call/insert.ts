import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventData } from '../../contract/events/envelope.ts';
import type { Pool } from '../../db/connection/database.ts';
import { isLocked, isRefused } from '../../db/connection/errors.ts';
import { type RecordedChange, recordChanges } from '../../db/outbox/record-changes.ts';
import { insertIssues } from '../../db/tables/issues.ts';
import type { RunLimited } from '../load/classes.ts';
import type { Actor } from './actor.ts';
import { type CallOfChange, type ChangingOperation, toRecordedChange } from './changes.ts';

type NewIssue = Parameters<typeof insertIssues>[1][number];

/** Inserts an issue and records that, together with the issues of other calls where that is possible. Returns its id. */
export type InsertIssue = (issue: NewIssue, after: EventData<'issue.created'>) => Promise<number>;

/** Returns the `insertIssue` of a call of an operation. A call whose signal has aborted inserts nothing. */
export type InsertIssueOf = (actor: Actor, operation: ChangingOperation, call: CallOfChange) => InsertIssue;

interface Insertion {
  readonly issue: NewIssue;
  readonly recordedAs: (id: number) => RecordedChange;
  readonly signal: AbortSignal | undefined;
  readonly done: PromiseWithResolvers<number>;
}

/** A batch has at most so many issues, so that it takes milliseconds. */
const maxBatch = 32;
/** How many batches run at once: while one waits for the disk, the next is on its way. */
const maxRunning = 3;

/** Runs work that belongs to no call: batches go on when the call that started them has ended. */
const outsideOfCalls = AsyncLocalStorage.snapshot();

/**
 * Inserts the issues of calls that come at the same time in one transaction: their rate is that of the batches. Those
 * that come while batches run are the next batch. If a batch fails because of one of its issues, each is inserted alone
 * and finds out whether it was the reason.
 */
export function insertInBatches(pool: Pool, runLimited: RunLimited = (work) => work()): InsertIssueOf {
  const waiting: Insertion[] = [];
  let running = 0;

  async function insert(batch: readonly Insertion[]): Promise<void> {
    try {
      const ids = await runLimited(() => insertTogether(pool, batch));
      for (const [index, { done }] of batch.entries()) done.resolve(ids[index] as number);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error, batch)) {
        await Promise.all(batch.map((insertion) => insert([insertion])));
        return;
      }
      // Those that came meanwhile would wait for the same lock.
      const failed = isLocked(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { done } of failed) done.reject(error);
    }
  }

  async function insertAll(): Promise<void> {
    running++;
    for (let batch = waiting.splice(0, maxBatch); batch.length > 0; batch = waiting.splice(0, maxBatch)) {
      await insert(batch);
    }
    running--;
  }

  return (actor, operation, call) => (issue, after) => {
    const recordedAs = (id: number) =>
      toRecordedChange({ event: 'issue.created', id, after }, actor, operation, call);
    const done = Promise.withResolvers<number>();
    waiting.push({ issue, recordedAs, signal: call.signal, done });
    if (running < maxRunning) outsideOfCalls(() => void insertAll());
    return done.promise;
  };
}

/** Reports whether a batch has failed because of one of its issues. Of one whose connection broke, nobody knows. */
function isOfOne(error: unknown, batch: readonly Insertion[]): boolean {
  return isRefused(error) || batch.some(({ signal }) => signal?.aborted && signal.reason === error);
}

async function insertTogether(pool: Pool, batch: readonly Insertion[]): Promise<readonly number[]> {
  const checkDeadlines = () => {
    for (const { signal } of batch) signal?.throwIfAborted();
  };
  const ids = await pool.transaction(async (tx) => {
    checkDeadlines();
    const inserted = await insertIssues(
      tx,
      batch.map(({ issue }) => issue),
    );
    const changes = batch.map(({ recordedAs }, index) => recordedAs(inserted[index] as number));
    await recordChanges(tx, changes);
    checkDeadlines();
    return inserted;
  });
  pool.onRecorded();
  return ids;
}
