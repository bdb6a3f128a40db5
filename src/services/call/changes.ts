import type { Operation } from '../../contract/operation.ts';
import type { UnaskedOperation } from '../../contract/recorded-operations.ts';
import type { OperationId } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import { type ChangedRow, type RecordedFields, recordChanges } from '../../db/tables/record-changes.ts';
import type { Actor } from './actor.ts';
import type { Change, Context } from './context.ts';

/** What is known of a call that changes something; a command has no address, and takes its time. */
type CallOfChange = Partial<Pick<Context, 'address' | 'signal'>>;

/**
 * The changes of one call of an operation. The only place that records them. A call that was given up meanwhile changes
 * nothing: its caller has been told so.
 */
export function changesOf(
  db: Database,
  actor: Actor,
  operation: Pick<Operation<OperationId | UnaskedOperation>, 'id' | 'changes'>,
  { address = '', signal }: CallOfChange = {},
): Change {
  return (work, as = actor) =>
    db.transaction(async (tx) => {
      signal?.throwIfAborted();
      const touched: ChangedRow[] = [];
      const result = await work(tx, (...more) => touched.push(...more));
      const undeclared = touched.find(({ event }) => !operation.changes?.includes(event));
      if (undeclared !== undefined) throw new Error(`${operation.id} does not declare ${undeclared.event}.`);
      const { kind, id, name, door } = as;
      if (touched.length > 0)
        await recordChanges(tx, { kind, id, name, door, address }, operation.id, touched.map(cut));
      signal?.throwIfAborted();
      return result;
    });
}

/** Characters of a text that are told. */
const toldLength = 200;

/** A text may be as long as a request, and each change is kept three times. */
function cut({ before, after, ...touched }: ChangedRow): ChangedRow {
  return { ...touched, before: before && cutTexts(before), after: after && cutTexts(after) };
}

function cutTexts(told: RecordedFields): RecordedFields {
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, cutText(value)]));
}

function cutText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= toldLength) return value;
  // By code points, so that none is halved; each is two units at most.
  const points = [...value.slice(0, 2 * (toldLength + 1))];
  return points.length <= toldLength ? value : `${points.slice(0, toldLength).join('')}…`;
}
