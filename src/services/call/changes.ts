import type { Database, Pool } from '../../db/connection/pool.ts';
import { runTransaction } from '../../db/connection/transaction.ts';
import { type ChangedRow, recordChanges } from '../../db/outbox/record-changes.ts';
import type { Actor } from './actor.ts';
import { type ChangeOne, changeOneIn } from './change-one.ts';
import { type InsertOne, insertOneIn } from './insert-one.ts';
import { toRecordedRow } from './recorded-row.ts';
import { type CallOfChange, type ChangingOperation, checkDeclared, originOf } from './recording.ts';

/** Reports changed rows. They are recorded when the work is done. */
export type Touch = (...touched: readonly ChangedRow[]) => void;

/** Changes data in a transaction. */
type Work<T> = (tx: Database, touch: Touch, changeOne: ChangeOne) => Promise<T>;

/**
 * Changes data: runs the work in a transaction and records what it touched, as events and as audit records of the
 * actor. Work that calls `refuse` changes nothing: the transaction is rolled back, then the error is thrown.
 *
 * @param as - the recorded actor if it is not the caller: at sign-in nobody is signed in yet
 */
export type Change = <T>(work: Work<T>, as?: Actor) => Promise<T>;

/**
 * Returns the `change` function of one call of an operation. Together with `changeOneOf` the only place that records
 * changes. A call whose signal has aborted changes nothing, because its caller has already received an error.
 */
export function changesOf(
  pool: Pool,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange = {},
): Change {
  return async (work, as = actor) => {
    const { result, hasRecorded } = await runTransaction(pool, async (tx) => {
      call.signal?.throwIfAborted();
      const done = await workIn(tx, as, operation, call, work);
      call.signal?.throwIfAborted();
      return done;
    });
    if (hasRecorded) pool.onRecorded?.();
    return result;
  };
}

/** Returns what `changesOf` and `changeOneOf` return, for a call whose changes all take place in the given transaction. */
export function changesIn(
  tx: Database,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange = {},
): CallChanges {
  return {
    async change(work, as = actor) {
      const { result } = await tx.transaction((savepoint) => workIn(savepoint, as, operation, call, work));
      return result;
    },
    changeOne: changeOneIn(tx, actor, operation, call),
    insertOne: insertOneIn(tx, actor, operation, call),
  };
}

/** The changes of a call. Within a transaction, `change` rolls back to a savepoint where it would roll back. */
export interface CallChanges {
  readonly change: Change;
  readonly changeOne: ChangeOne;
  readonly insertOne: InsertOne;
}

/** Works in a transaction, and records what the work touched. */
async function workIn<T>(
  tx: Database,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange,
  work: Work<T>,
): Promise<{ readonly result: T; readonly hasRecorded: boolean }> {
  const touched: ChangedRow[] = [];
  const touch: Touch = (...more) => {
    for (const { event } of more) checkDeclared(operation, event);
    touched.push(...more);
  };
  let hasChangedOne = false;
  const changeOne = changeOneIn(tx, actor, operation, call, () => {
    hasChangedOne = true;
  });
  const result = await work(tx, touch, changeOne);
  if (touched.length > 0) {
    await recordChanges(tx, originOf(actor, call), operation.id, touched.map(toRecordedRow));
  }
  return { result, hasRecorded: hasChangedOne || touched.length > 0 };
}
