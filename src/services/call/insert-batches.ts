import { type Batched, BatchQueue } from '../../db/connection/batch-queue.ts';
import { runAs } from '../../db/connection/caller.ts';
import { isLocked, isRefused } from '../../db/connection/database-errors.ts';
import type { Database, Pool } from '../../db/connection/pool.ts';
import { connectionSpan } from '../../db/connection/trace-statements.ts';
import {
  type RecordInserted,
  recordInserted,
  type StatementRecord,
} from '../../db/outbox/record-in-statement.ts';
import { inSpan } from '../../shared/tracing.ts';
import { endsInTime } from './change-one.ts';
import type { CallOfChange } from './recording.ts';

/**
 * Inserts rows with one statement, which records them, and returns what their calls get, in the order of the rows. The
 * statement must not wait for rows that other transactions have locked: all calls of a batch would wait.
 */
export type InsertAll<Row, T> = (
  db: Database,
  rows: readonly Row[],
  record: RecordInserted,
) => Promise<readonly T[]>;

/** A row and what is recorded of it. */
export interface RecordedInsert<Row> {
  readonly row: Row;
  readonly record: StatementRecord;
}

/** What a call inserts. */
export interface Insertion<Row, T> extends RecordedInsert<Row> {
  readonly call: CallOfChange;
  /** Inserts the row by itself. */
  readonly alone: () => Promise<T>;
}

interface Waiting<Row, T> extends Insertion<Row, T> {
  readonly inserted: PromiseWithResolvers<T>;
}

/** Inserts rows of calls that come at the same time, with one statement and one commit. */
export class InsertBatches {
  readonly #pool: Pool;
  readonly #maxBatches: () => number;
  /** By the functions that insert the rows. */
  readonly #queues = new Map<unknown, unknown>();

  /** @param maxBatches - returns how many batches of a kind may run at once, at least one */
  constructor(pool: Pool, maxBatches: () => number) {
    this.#pool = pool;
    this.#maxBatches = maxBatches;
  }

  /** Resolves with what `insertAll` returns for the row, once it is committed. */
  insert<Row, T>(insertAll: InsertAll<Row, T>, insertion: Insertion<Row, T>): Promise<T> {
    let queue = this.#queues.get(insertAll) as BatchQueue<Waiting<Row, T>> | undefined;
    if (queue === undefined) {
      queue = new BatchQueue((take) => insertBatch(this.#pool, insertAll, take), this.#maxBatches);
      this.#queues.set(insertAll, queue);
    }
    const inserted = Promise.withResolvers<T>();
    queue.add({ ...insertion, inserted });
    return inSpan(connectionSpan('insert'), () => inserted.promise);
  }
}

/** Inserts rows and records them. */
export async function insertRecorded<Row, T>(
  db: Database,
  insertAll: InsertAll<Row, T>,
  inserts: readonly RecordedInsert<Row>[],
): Promise<readonly T[]> {
  const record = recordInserted(inserts.map((insert) => insert.record));
  return await insertAll(
    db,
    inserts.map(({ row }) => row),
    record,
  );
}

type Batch<Row, T> = readonly Batched<Waiting<Row, T>>[];

async function insertBatch<Row, T>(
  pool: Pool,
  insertAll: InsertAll<Row, T>,
  take: () => Batch<Row, T>,
): Promise<void> {
  let batch: Batch<Row, T> | undefined;
  try {
    const results = await pool.runStatement(async (db) => {
      // Not earlier, while it waits for a connection: meanwhile more rows come, and deadlines pass.
      batch = take().filter((waiting) => mayJoin(pool, waiting));
      if (batch.length === 0) return [];
      return await insertRecorded(
        db,
        insertAll,
        batch.map(({ item }) => item),
      );
    });
    for (const [index, { item }] of (batch ?? []).entries()) item.inserted.resolve(results[index] as T);
    if (results.length > 0) pool.onRecorded?.();
  } catch (error) {
    // Those that came meanwhile would wait for the same lock.
    failBatch(isLocked(error) || batch === undefined ? [...(batch ?? []), ...take()] : batch, error);
  }
}

/** Reports whether a row may be inserted with others. Else its call has ended, or must be able to take it back. */
function mayJoin<Row, T>(pool: Pool, waiting: Batched<Waiting<Row, T>>): boolean {
  const { call, inserted } = waiting.item;
  if (call.signal?.aborted) inserted.reject(call.signal.reason);
  else if (endsInTime(pool, call)) return true;
  else insertAlone(waiting);
  return false;
}

function failBatch<Row, T>(batch: Batch<Row, T>, error: unknown): void {
  // Nothing is inserted. Each row finds out whether it was the reason.
  const isOneOfMany = batch.length > 1 && isRefused(error);
  for (const waiting of batch) {
    if (isOneOfMany) insertAlone(waiting);
    else waiting.item.inserted.reject(error);
  }
}

function insertAlone<Row, T>({ item: { alone, inserted }, caller }: Batched<Waiting<Row, T>>): void {
  inserted.resolve(runAs(caller, alone));
}
