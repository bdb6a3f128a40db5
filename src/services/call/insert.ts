import type { EventData } from '../../contract/events/envelope.ts';
import type { EventType } from '../../contract/vocabulary.ts';
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

/** Inserts rows of calls that come at the same time in one transaction: their rate is that of the batches. */
export class InsertBatches {
  readonly #pool: Pool;
  readonly #runLimited: RunLimited;
  readonly #batches = new Map<unknown, (insertion: Insertion<never>) => Promise<number>>();

  /** @param runLimited - runs a batch when it is its turn among the changes */
  constructor(pool: Pool, runLimited: RunLimited = (work) => work()) {
    this.#pool = pool;
    this.#runLimited = runLimited;
  }

  /** Returns the `insert` of a call of an operation. A call whose signal has aborted inserts nothing. */
  of(actor: Actor, operation: ChangingOperation, call: CallOfChange): Insert {
    return (created, row, insertAll) => {
      const recordedAs = (id: number) =>
        toRecordedChange({ ...created, id } as ChangedRow, actor, operation, call);
      return this.#batchesOf(insertAll)({ row, recordedAs, signal: call.signal });
    };
  }

  #batchesOf<Row>(insertAll: InsertAll<Row>): (insertion: Insertion<Row>) => Promise<number> {
    const known = this.#batches.get(insertAll);
    if (known !== undefined) return known as (insertion: Insertion<Row>) => Promise<number>;
    const insert = batched<Insertion<Row>, number>(
      (insertions) => this.#runLimited(() => this.#insert(insertAll, insertions)),
      (error, insertions) =>
        isRefused(error) || insertions.some(({ signal }) => signal?.aborted && signal.reason === error),
    );
    this.#batches.set(insertAll, insert as (insertion: Insertion<never>) => Promise<number>);
    return insert;
  }

  async #insert<Row>(
    insertAll: InsertAll<Row>,
    insertions: readonly Insertion<Row>[],
  ): Promise<readonly number[]> {
    const checkDeadlines = () => {
      for (const { signal } of insertions) signal?.throwIfAborted();
    };
    const ids = await this.#pool.transaction(async (tx) => {
      checkDeadlines();
      const inserted = await insertAll(
        tx,
        insertions.map(({ row }) => row),
      );
      await recordChanges(
        tx,
        insertions.map(({ recordedAs }, index) => recordedAs(inserted[index] as number)),
      );
      checkDeadlines();
      return inserted;
    });
    this.#pool.onRecorded();
    return ids;
  }
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
