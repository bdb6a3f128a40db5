import type { BackgroundChange } from '../../contract/background-changes.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/registry.ts';
import type { Database, Pool } from '../../db/connection/pool.ts';
import { runTransaction } from '../../db/connection/transaction.ts';
import { type ChangedRow, recordChanges } from '../../db/outbox/record-changes.ts';
import type { Actor } from './actor.ts';
import { toRecordedRow } from './recorded-row.ts';

/** Reports changed rows. They are recorded when the work is done. */
export type Touch = (...touched: readonly ChangedRow[]) => void;

/**
 * Changes data: runs the work in a transaction and records what it touched, as events and as audit records of the
 * actor. Work that calls `refuse` changes nothing: the transaction is rolled back, then the error is thrown.
 *
 * @param as - the recorded actor if it is not the caller: at sign-in nobody is signed in yet
 */
export type Change = <T>(work: (tx: Database, touch: Touch) => Promise<T>, as?: Actor) => Promise<T>;

/** What a change needs to know of its call. A command has no address and no deadline. */
interface CallOfChange {
  readonly address?: string;
  readonly signal?: AbortSignal;
}

/**
 * Returns the `change` function of one call of an operation: the only place that records changes. A call whose signal
 * has aborted changes nothing, because its caller has already received an error.
 */
export function changesOf(
  pool: Pool,
  actor: Actor,
  operation: Pick<Operation<OperationId | BackgroundChange>, 'id' | 'changes'>,
  { address = '', signal }: CallOfChange = {},
): Change {
  return async (work, as = actor) =>
    await runTransaction(pool, async (tx) => {
      signal?.throwIfAborted();
      const touched: ChangedRow[] = [];
      const result = await work(tx, (...more) => touched.push(...more));
      const undeclared = touched.find(({ event }) => !operation.changes?.includes(event));
      if (undeclared !== undefined) throw new Error(`${operation.id} does not declare ${undeclared.event}.`);
      const { kind, id, name, door } = as;
      if (touched.length > 0) {
        const origin = { kind, id, name, door, address };
        await recordChanges(tx, origin, operation.id, touched.map(toRecordedRow));
      }
      signal?.throwIfAborted();
      return result;
    });
}
