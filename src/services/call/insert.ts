import { busyError } from '../../contract/errors.ts';
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
  readonly caller: string;
  readonly issue: NewIssue;
  readonly bytes: number;
  readonly recordedAs: (id: number) => RecordedChange;
  readonly signal: AbortSignal | undefined;
  /** Refuses it if it waits for too long. */
  readonly timer: ReturnType<typeof setTimeout>;
  readonly done: PromiseWithResolvers<number>;
}

/** The limits of a batch, which keep its transaction short. A larger issue is a batch of its own. */
const maxBatch = 32;
const maxBatchBytes = 256 * 1024;

/**
 * Inserts the issues of calls that come at the same time in one transaction, so throughput is counted in batches. A caller
 * has one turn at a time, which takes along those that wait, of any caller: what a batch costs besides its issues is what
 * seven of them cost. If a batch fails because of one of its issues, its halves are inserted alone, until the issue is found.
 */
export function insertInBatches(pool: Pool, turns: Limiter): InsertIssueOf {
  /** The one that has waited longest is the first. */
  const waiting = new Set<Insertion>();
  /** Who has a turn, or waits for one. */
  const callers = new Set<string>();

  const waitingOf = (caller: string) => [...waiting].filter((insertion) => insertion.caller === caller);

  /** Removes an issue from those that wait, and reports whether it was one of them. */
  function take(insertion: Insertion): boolean {
    clearTimeout(insertion.timer);
    return waiting.delete(insertion);
  }

  function refuse(insertions: Iterable<Insertion>, reason: unknown): void {
    for (const insertion of insertions) if (take(insertion)) insertion.done.reject(reason);
  }

  function takeBatch(caller: string): readonly Insertion[] {
    const [first] = waitingOf(caller);
    if (first === undefined) return [];
    const batch: Insertion[] = [];
    let bytes = 0;
    for (const insertion of [first, ...waiting]) {
      if (batch.length === maxBatch) break;
      if (batch.length > 0 && bytes + insertion.bytes > maxBatchBytes) continue;
      if (!take(insertion)) continue;
      batch.push(insertion);
      bytes += insertion.bytes;
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
      if (isLocked(error)) refuse(waiting, error);
    }
  }

  /** Inserts the issues of a caller until none waits. */
  async function insertAllOf(caller: string): Promise<void> {
    if (callers.has(caller)) return;
    callers.add(caller);
    try {
      while (waitingOf(caller).length > 0) await turns.run(caller, () => insert(takeBatch(caller)));
    } catch (error) {
      refuse(waitingOf(caller), error);
    } finally {
      callers.delete(caller);
    }
  }

  return (actor, operation, call) => async (issue, after) => {
    call.signal?.throwIfAborted();
    const { maxQueued, waitMs } = turns.limits;
    const caller = callerOf(actor, call.address ?? '');
    if (callers.has(caller) && waiting.size >= maxQueued) throw busyError();
    const insertion: Insertion = {
      caller,
      issue,
      bytes: Object.values(issue).reduce((sum, value) => sum + Buffer.byteLength(String(value)), 0),
      recordedAs: (id) => toRecordedChange({ event: 'issue.created', id, after }, actor, operation, call),
      signal: call.signal,
      timer: setTimeout(() => refuse([insertion], busyError()), waitMs),
      done: Promise.withResolvers<number>(),
    };
    waiting.add(insertion);
    void insertAllOf(caller);
    return await insertion.done.promise;
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
