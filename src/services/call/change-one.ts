import type { EventData } from '../../contract/events/data.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import type { Database, Pool } from '../../db/connection/pool.ts';
import { runTransaction } from '../../db/connection/transaction.ts';
import type { RecordedFields } from '../../db/outbox/record-changes.ts';
import {
  type RecordChanged,
  type RecordDeleted,
  recordInStatement,
  type StatementRecord,
} from '../../db/outbox/record-in-statement.ts';
import type { Actor } from './actor.ts';
import { toRecordedFields } from './recorded-row.ts';
import { type CallOfChange, type ChangingOperation, checkDeclared, originOf } from './recording.ts';

/**
 * Changes one row with one statement, which also records the change. Outside of a transaction the statement is one of its
 * own: it travels, runs and commits in one round trip. A change that takes more than one statement needs `change`.
 *
 * The work runs exactly one statement, and calls `refuse` only if that has changed nothing.
 */
export interface ChangeOne {
  /**
   * Inserts or updates a row.
   *
   * @param row - its event, and the data of the event; what it was before, unless only the statement knows that
   */
  <Type extends EventType, T>(
    row: { readonly event: Type; readonly before?: RecordedFields; readonly after: EventData<Type> },
    work: (db: Database, record: RecordChanged) => Promise<T>,
  ): Promise<T>;
  /** Deletes a row that the caller has locked. */
  <Type extends EventType, T>(
    row: { readonly event: Type; readonly before: EventData<Type>; readonly after?: undefined },
    work: (db: Database, record: RecordChanged) => Promise<T>,
  ): Promise<T>;
  /** Deletes a row that only the statement knows. */
  <Type extends EventType, T>(
    row: { readonly event: Type; readonly before?: undefined; readonly after?: undefined },
    work: (db: Database, record: RecordDeleted<Type>) => Promise<T>,
  ): Promise<T>;
}

/** What a `ChangeOne` is called with, without the type of the event. */
interface ChangedRow {
  readonly event: EventType;
  readonly before?: RecordedFields | undefined;
  readonly after?: RecordedFields | undefined;
}
type Work<T> = (db: Database, record: RecordChanged) => Promise<T>;

/** Returns the `changeOne` of a call of an operation, for statements of their own. */
export function changeOneOf(
  pool: Pool,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange = {},
): ChangeOne {
  return async <T>(row: ChangedRow, work: Work<T>) => {
    const record = recordInStatement(recordOf(row, actor, operation, call));
    const alone = await pool.runStatement(async (db) => {
      call.signal?.throwIfAborted();
      return endsInTime(pool, call) ? { result: await work(db, record) } : undefined;
    });
    const { result } = alone ?? { result: await workInTransaction(pool, call, (tx) => work(tx, record)) };
    pool.onRecorded?.();
    return result;
  };
}

/**
 * Returns the `changeOne` of a call of an operation, for statements of a transaction.
 *
 * @param onChange - called before each change
 */
export function changeOneIn(
  tx: Database,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange = {},
  onChange?: () => void,
): ChangeOne {
  return async <T>(row: ChangedRow, work: Work<T>) => {
    onChange?.();
    return await work(tx, recordInStatement(recordOf(row, actor, operation, call)));
  };
}

/** Returns what is recorded of a change. */
export function recordOf(
  row: ChangedRow,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange,
): StatementRecord {
  checkDeclared(operation, row.event);
  return {
    ...toRecordedFields(row),
    event: row.event,
    origin: originOf(actor, call),
    operation: operation.id,
  };
}

async function workInTransaction<T>(
  pool: Pool,
  { signal }: CallOfChange,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return await runTransaction(pool, async (tx) => {
    signal?.throwIfAborted();
    const result = await work(tx);
    signal?.throwIfAborted();
    return result;
  });
}

/** For the way of a statement to the database. */
const marginMs = 250;

/**
 * Reports whether a statement that starts now ends before the caller receives a timeout error, because the database would
 * cancel it first. Else it needs a transaction, which is rolled back if it ends too late.
 */
export function endsInTime(pool: Pool, { signal, timeLeftMs }: CallOfChange): boolean {
  return (
    signal === undefined || (timeLeftMs !== undefined && timeLeftMs() > pool.statementTimeoutMs + marginMs)
  );
}
