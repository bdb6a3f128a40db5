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

type ChangingOperation = Pick<Operation<OperationId | BackgroundChange>, 'id' | 'changes'>;

/**
 * Returns the `change` function of one call of an operation: the only place that records changes. A call whose signal
 * has aborted changes nothing, because its caller has already received an error.
 */
export function changesOf(
  pool: Pool,
  actor: Actor,
  operation: ChangingOperation,
  { address = '', signal }: CallOfChange = {},
): Change {
  return async (work, as = actor) => {
    const { result, touched } = await runTransaction(pool, async (tx) => {
      signal?.throwIfAborted();
      const done = await collectTouched(tx, operation, work);
      await record(tx, as, address, operation, done.touched);
      signal?.throwIfAborted();
      return done;
    });
    if (touched.length > 0) pool.onRecorded?.();
    return result;
  };
}

/** The changes of a call that has one transaction for everything that it does. */
export interface CallChanges {
  /** Works in the transaction, and rolls back to a savepoint where a change of its own would roll back. */
  readonly change: Change;
  /** Records all changes. Call it last: see `recordChanges`. */
  record(): Promise<void>;
}

/** Returns what `changesOf` returns, for a call whose changes take place in the given transaction. */
export function changesIn(
  tx: Database,
  actor: Actor,
  operation: ChangingOperation,
  { address = '' }: CallOfChange = {},
): CallChanges {
  const made: { readonly as: Actor; readonly touched: readonly ChangedRow[] }[] = [];
  return {
    async change(work, as = actor) {
      const { result, touched } = await tx.transaction(
        async (savepoint) => await collectTouched(savepoint, operation, work),
      );
      made.push({ as, touched });
      return result;
    },
    async record() {
      for (const { as, touched } of made) await record(tx, as, address, operation, touched);
    },
  };
}

async function collectTouched<T>(
  tx: Database,
  { id, changes }: ChangingOperation,
  work: (tx: Database, touch: Touch) => Promise<T>,
): Promise<{ result: T; touched: readonly ChangedRow[] }> {
  const touched: ChangedRow[] = [];
  const result = await work(tx, (...more) => touched.push(...more));
  const undeclared = touched.find(({ event }) => !changes?.includes(event));
  if (undeclared !== undefined) throw new Error(`${id} does not declare ${undeclared.event}.`);
  return { result, touched };
}

async function record(
  tx: Database,
  { kind, id, name, door }: Actor,
  address: string,
  operation: ChangingOperation,
  touched: readonly ChangedRow[],
): Promise<void> {
  if (touched.length === 0) return;
  await recordChanges(tx, { kind, id, name, door, address }, operation.id, touched.map(toRecordedRow));
}
