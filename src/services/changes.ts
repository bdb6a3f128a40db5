import type { Operation } from '../contract/operation.ts';
import type { Database } from '../db/pool.ts';
import { recordChanges, type Touched } from '../db/trail.ts';
import type { Actor } from './context.ts';

/** Tells what was changed; it is recorded when the work is done. */
export type Touch = (...touched: readonly Touched[]) => void;

/**
 * Changes data: runs the work in a transaction, and before its end records whatever the work touched, as events and
 * as audit records of the actor. What it refuses it tells by its result, because an error thrown in a transaction
 * costs its connection.
 *
 * @param as - who is recorded, where that is another than the caller: at sign-in nobody is signed in yet
 */
export type Change = <T>(work: (tx: Database, touch: Touch) => Promise<T>, as?: Actor) => Promise<T>;

/** The changes of one call of an operation. The only place that records them. */
export function changesOf(
  db: Database,
  actor: Actor,
  operation: Pick<Operation, 'id' | 'changes'>,
  address = '',
): Change {
  return (work, as = actor) =>
    db.transaction(async (tx) => {
      const touched: Touched[] = [];
      const result = await work(tx, (...more) => touched.push(...more));
      const undeclared = touched.find(({ event }) => !operation.changes?.includes(event));
      if (undeclared !== undefined) throw new Error(`${operation.id} does not declare ${undeclared.event}.`);
      const { kind, id, name, door } = as;
      if (touched.length > 0)
        await recordChanges(tx, { kind, id, name, door, address }, operation.id, touched);
      return result;
    });
}
