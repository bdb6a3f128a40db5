import type { BackgroundChange } from '../../contract/background-changes.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/registry.ts';
import type { Pool } from '../../db/connection/pool.ts';
import { runTransaction } from '../../db/connection/transaction.ts';
import { type ChangedRow, type RecordedFields, recordChanges } from '../../db/tables/record-changes.ts';
import type { Actor } from './actor.ts';
import type { Change, Context } from './context.ts';

/** What a change needs to know of its call. A command has no address and no deadline. */
type CallOfChange = Partial<Pick<Context, 'address' | 'signal'>>;

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
        await recordChanges(tx, origin, operation.id, touched.map(truncate));
      }
      signal?.throwIfAborted();
      return result;
    });
}

/** Characters of a text that are recorded. */
const maxTextLength = 200;

/** A text may be as long as a request, and each change is kept three times. */
function truncate({ before, after, ...touched }: ChangedRow): ChangedRow {
  return { ...touched, before: before && truncateTexts(before), after: after && truncateTexts(after) };
}

function truncateTexts(fields: RecordedFields): RecordedFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, truncateText(value)]));
}

function truncateText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= maxTextLength) return value;
  // By code points, so that no character is cut in half. A code point has at most two code units.
  const points = [...value.slice(0, 2 * (maxTextLength + 1))];
  return points.length <= maxTextLength ? value : `${points.slice(0, maxTextLength).join('')}…`;
}
