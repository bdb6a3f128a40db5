import type { Operation } from '../contract/operation.ts';
import type { Database } from '../db/pool.ts';
import { recordChanges, type Touched } from '../db/trail.ts';
import type { Actor, Change } from './context.ts';

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
