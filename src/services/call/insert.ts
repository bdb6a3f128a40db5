import type { EventType } from '../../contract/event-types.ts';
import type { EventData } from '../../contract/events/envelope.ts';
import type { Database, Pool } from '../../db/connection/database.ts';
import { isRefused } from '../../db/connection/errors.ts';
import { type ChangedRow, type RecordedChange, recordChanges } from '../../db/outbox/record-changes.ts';
import type { RunLimited } from '../load/classes.ts';
import type { Actor } from './actor.ts';
import { batched } from './batched.ts';
import { type CallOfChange, type Change, type ChangingOperation, toRecordedChange } from './changes.ts';

/**
 * Inserts rows with one statement and returns their ids, in the order of the rows. The statement must not wait for rows
 * that other transactions have locked: all calls of a batch would wait.
 */
export type InsertAll<Row> = (tx: Database, rows: readonly Row[]) => Promise<readonly number[]>;

/** Inserts a row and records that, together with the rows of other calls where that is possible. Returns its id. */
export type Insert = <Type extends EventType, Row>(
  created: { readonly event: Type; readonly after: EventData<Type> },
  row: Row,
  insertAll: InsertAll<Row>,
) => Promise<number>;

interface Insertion<Row> {
  readonly row: Row;
  /** Returns what is recorded of the row. */
  readonly recordedAs: (id: number) => RecordedChange;
  readonly signal: AbortSignal | undefined;
}

/** Returns the `insert` of a call of an operation. A call whose signal has aborted inserts nothing. */
export type InsertOf = (actor: Actor, operation: ChangingOperation, call: CallOfChange) => Insert;

/**
 * Inserts rows of calls that come at the same time in one transaction: their rate is that of the batches.
 *
 * @param runLimited - runs a batch when it is its turn among the changes
 */
export function insertInBatches(pool: Pool, runLimited: RunLimited = (work) => work()): InsertOf {
  const batches = new Map<unknown, (insertion: Insertion<never>) => Promise<number>>();

  function batchesOf<Row>(insertAll: InsertAll<Row>): (insertion: Insertion<Row>) => Promise<number> {
    const known = batches.get(insertAll);
    if (known !== undefined) return known as (insertion: Insertion<Row>) => Promise<number>;
    const insert = batched<Insertion<Row>, number>(
      (insertions) => runLimited(() => insertTogether(pool, insertAll, insertions)),
      (error, insertions) =>
        isRefused(error) || insertions.some(({ signal }) => signal?.aborted && signal.reason === error),
    );
    batches.set(insertAll, insert as (insertion: Insertion<never>) => Promise<number>);
    return insert;
  }

  return (actor, operation, call) => (created, row, insertAll) => {
    const recordedAs = (id: number) =>
      toRecordedChange({ ...created, id } as ChangedRow, actor, operation, call);
    return batchesOf(insertAll)({ row, recordedAs, signal: call.signal });
  };
}

async function insertTogether<Row>(
  pool: Pool,
  insertAll: InsertAll<Row>,
  insertions: readonly Insertion<Row>[],
): Promise<readonly number[]> {
  const checkDeadlines = () => {
    for (const { signal } of insertions) signal?.throwIfAborted();
  };
  const rows = insertions.map(({ row }) => row);
  const ids = await pool.transaction(async (tx) => {
    checkDeadlines();
    const inserted = await insertAll(tx, rows);
    const changes = insertions.map(({ recordedAs }, index) => recordedAs(inserted[index] as number));
    await recordChanges(tx, changes);
    checkDeadlines();
    return inserted;
  });
  pool.onRecorded();
  return ids;
}

/** Returns an `insert` that is a change of its own, for calls whose changes are part of a transaction. */
export function insertBy(change: Change): Insert {
  return async (created, row, insertAll) =>
    await change(async (tx, record) => {
      const [id] = await insertAll(tx, [row]);
      record({ ...created, id } as ChangedRow);
      return id as number;
    });
}
