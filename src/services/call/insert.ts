import type { EventData } from '../../contract/events/envelope.ts';
import type { Pool } from '../../db/connection/database.ts';
import { isLocked, isRefused } from '../../db/connection/errors.ts';
import { type RecordedChange, recordChanges } from '../../db/outbox/record-changes.ts';
import { insertIssues } from '../../db/tables/issues.ts';
import type { Limiter } from '../load/limiter.ts';
import { type Actor, callerOf } from './actor.ts';
import { type CallOfChange, type ChangingOperation, toRecordedChange } from './changes.ts';

type NewIssue = Parameters<typeof insertIssues>[1][number];

/** Inserts an issue and records that, together with the issues of other calls where that is possible. Returns its id. */
export type InsertIssue = (issue: NewIssue, after: EventData<'issue.created'>) => Promise<number>;

/** Returns the `insertIssue` of a call of an operation. A call whose signal has aborted inserts nothing. */
export type InsertIssueOf = (actor: Actor, operation: ChangingOperation, call: CallOfChange) => InsertIssue;

interface Insertion {
  readonly issue: NewIssue;
  readonly bytes: number;
  readonly recordedAs: (id: number) => RecordedChange;
  readonly signal: AbortSignal | undefined;
  /** Aborts when the issue is in a batch or its caller has left: it no longer waits for a turn of its own. */
  readonly taken: AbortController;
  readonly done: PromiseWithResolvers<number>;
}

/** The limits of a batch, which keep its transaction short. A larger issue is a batch of its own. */
const maxBatch = 32;
const maxBatchBytes = 256 * 1024;

/** Why an issue waits no longer. Given, because a signal that aborts without a reason makes an error with its stack. */
const isTaken = new Error('The issue is in a batch.');

/**
 * Inserts the issues of calls that come at the same time in one transaction, so throughput is counted in batches. Each
 * issue waits for a turn of its caller, and the first that gets one takes along those that wait. If a batch fails because
 * of one of its issues, its halves are inserted alone, until the issue is found.
 */
export function insertInBatches(pool: Pool, turns: Pick<Limiter, 'run'>): InsertIssueOf {
  /** The one that has waited longest is the first. */
  const waiting = new Set<Insertion>();

  function takeBatch(first: Insertion): readonly Insertion[] {
    const batch: Insertion[] = [];
    let bytes = 0;
    for (const insertion of [first, ...waiting]) {
      if (batch.length === maxBatch) break;
      if (batch.length > 0 && bytes + insertion.bytes > maxBatchBytes) continue;
      if (!waiting.delete(insertion)) continue;
      batch.push(insertion);
      bytes += insertion.bytes;
      insertion.taken.abort(isTaken);
    }
    return batch;
  }

  async function insert(batch: readonly Insertion[]): Promise<void> {
    const due = batch.filter(({ signal }) => !signal?.aborted);
    for (const { signal, done } of batch) if (signal?.aborted) done.reject(signal.reason);
    if (due.length === 0) return;
    try {
      const ids = await insertTogether(pool, due);
      for (const [index, { done }] of due.entries()) done.resolve(ids[index] as number);
    } catch (error) {
      if (isOfAborted(error, due)) return await insert(due);
      if (due.length > 1 && isRefused(error)) {
        const half = due.length >> 1;
        await insert(due.slice(0, half));
        return await insert(due.slice(half));
      }
      for (const { done } of due) done.reject(error);
      // Those that wait would wait for the same lock.
      if (isLocked(error)) {
        for (const insertion of waiting) {
          insertion.done.reject(error);
          insertion.taken.abort(isTaken);
        }
        waiting.clear();
      }
    }
  }

  return (actor, operation, call) => async (issue, after) => {
    const insertion: Insertion = {
      issue,
      bytes: Object.values(issue).reduce((sum, value) => sum + Buffer.byteLength(String(value)), 0),
      recordedAs: (id) => toRecordedChange({ event: 'issue.created', id, after }, actor, operation, call),
      signal: call.signal,
      taken: new AbortController(),
      done: Promise.withResolvers<number>(),
    };
    const { taken, done } = insertion;
    waiting.add(insertion);
    // AbortSignal.any would cost as much as the rest of the wait.
    call.signal?.addEventListener('abort', () => taken.abort(call.signal?.reason));
    const insertBatch = () => insert(waiting.has(insertion) ? takeBatch(insertion) : []);
    turns.run(callerOf(actor, call.address ?? ''), insertBatch, taken.signal).catch((error: unknown) => {
      // One that is in a batch has its result from that.
      if (waiting.delete(insertion)) done.reject(error);
    });
    return await done.promise;
  };
}

/** Reports whether a batch was rolled back because callers have received a timeout error. */
function isOfAborted(error: unknown, batch: readonly Insertion[]): boolean {
  return batch.some(({ signal }) => signal?.aborted && signal.reason === error);
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
