import type { EventData } from '../../contract/events/data.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/pool.ts';
import { type RunForAll, runForOne } from '../../db/connection/shared-transaction.ts';
import type { Actor } from './actor.ts';
import { type ChangeOne, recordOf } from './change-one.ts';
import { type InsertAll, type InsertBatches, insertRecorded, type RecordedInsert } from './insert-batches.ts';
import type { CallOfChange, ChangingOperation } from './recording.ts';

/**
 * Inserts one row, and records that. Outside of a transaction, the rows of calls that come at the same time travel, run and
 * commit together.
 */
export type InsertOne = <Type extends EventType, Row, T>(
  created: { readonly event: Type; readonly after: EventData<Type> },
  row: Row,
  insertAll: InsertAll<Row, T>,
) => Promise<T>;

/**
 * Returns the `insertOne` of a call of an operation.
 *
 * @param changeOne - that of the call, for what cannot be inserted with others
 */
export function insertOneOf(
  batches: InsertBatches,
  changeOne: ChangeOne,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange,
): InsertOne {
  const insertAlone = insertOneBy(changeOne);
  return async (created, row, insertAll) =>
    await batches.insert(insertAll, {
      row,
      record: recordOf(created, actor, operation, call),
      call,
      alone: () => insertAlone(created, row, insertAll),
    });
}

/** Returns an `insertOne` whose rows have a statement each. */
export function insertOneBy(changeOne: ChangeOne): InsertOne {
  return async (created, row, insertAll) =>
    await changeOne(created, async (db, record) => {
      const [inserted] = await insertAll(db, [row], record);
      if (inserted === undefined) throw new Error('The row was not inserted.');
      return inserted;
    });
}

/** Returns the `insertOne` of a call whose transaction may be shared with other calls. */
export function insertOneIn(
  tx: Database,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange,
): InsertOne {
  return async (created, row, insertAll) =>
    await runForOne(tx, insertsBy(insertAll), { row, record: recordOf(created, actor, operation, call) });
}

const inserts = new WeakMap<InsertAll<never, unknown>, RunForAll<never, unknown>>();

/** Returns what inserts and records rows, always the same for the same `insertAll`. */
function insertsBy<Row, T>(insertAll: InsertAll<Row, T>): RunForAll<RecordedInsert<Row>, T> {
  const known = inserts.get(insertAll as InsertAll<never, T>);
  if (known !== undefined) return known as RunForAll<RecordedInsert<Row>, T>;
  const insertRows: RunForAll<RecordedInsert<Row>, T> = (tx, rows) => insertRecorded(tx, insertAll, rows);
  inserts.set(insertAll as InsertAll<never, T>, insertRows as RunForAll<never, T>);
  return insertRows;
}
