import type { DocumentedError } from '../../contract/errors.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { Noun } from '../../contract/fields/field.ts';
import { recordedOf } from '../../contract/of-noun.ts';
import type { OperationId } from '../../contract/registry.ts';
import { deleteRow, insertRow, lockRow, updateRow } from '../../db/nouns/rows.ts';
import { hasRows, lockNoun, type ShortList } from '../../db/nouns/short-list.ts';
import type { ChangedRow } from '../../db/outbox/record-changes.ts';
import { unlessTaken } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import { findShort } from '../streaming/list-answer.ts';
import type { Handler } from './handler-types.ts';

type Verb = 'list' | 'create' | 'update' | 'delete';
type CrudHandlers<N extends Noun> = {
  readonly [Id in Extract<OperationId, `${N['id']}.${Verb}`>]: Handler<Id>;
};

type Fields = Readonly<Record<string, unknown>>;
interface Change {
  readonly id: number | null;
  readonly expected?: Fields;
}

/** Returns the handlers of the operations that `crudOperations` declares. They refuse a key that is taken, and more rows. */
export function crudHandlers<N extends Noun>(
  { noun, select, unique = '' }: ShortList<N>,
  taken: DocumentedError,
  maxRows: number,
  tooMany: DocumentedError,
): CrudHandlers<N> {
  const { id: plural, one, event: name, table }: Noun = noun;
  const rowOf = (done: string, row: object) =>
    ({ event: `${name}.${done}` as EventType, ...row }) as ChangedRow;

  const handlers = {
    [`${plural}.list`]: async (
      context: Context,
      filter: { readonly q?: string; readonly limit?: number },
    ) => ({
      [table]: await findShort(context, filter.q, (db) => select(db, filter)),
    }),

    [`${plural}.create`]: async ({ change }: Context, row: Fields) => {
      const id = await change(async (tx, record) => {
        await lockNoun(tx, noun);
        const inserted = await unlessTaken(insertRow<Noun>(tx, noun, row as never), unique, taken);
        if (await hasRows(tx, noun, maxRows + 1)) refuse(tooMany);
        record(rowOf('created', { id: inserted, after: recordedOf(noun, row) }));
        return inserted;
      });
      return { success: true, [name]: { id } };
    },

    [`${plural}.update`]: ({ change }: Context, { id, expected, ...given }: Change & Fields) =>
      change(async (tx, record) => {
        await lockNoun(tx, noun);
        const before: Fields | null = await lockRow<Noun>(tx, noun, id);
        checkExpected(one, expected, before);
        if (before === null) return;
        const changes = Object.fromEntries(
          Object.entries(given).filter(([field, value]) => value !== undefined && value !== before[field]),
        );
        if (Object.keys(changes).length === 0) return;
        await unlessTaken(updateRow<Noun>(tx, noun, id, changes), unique, taken);
        const after = recordedOf(noun, { ...before, ...changes });
        record(rowOf('updated', { id, before: recordedOf(noun, before), after }));
      }),

    [`${plural}.delete`]: ({ change }: Context, { id }: Change) =>
      change(async (tx, record) => {
        const before = await deleteRow<Noun>(tx, noun, id);
        if (before !== null) record(rowOf('deleted', { id, before: recordedOf(noun, before) }));
      }),
  };
  return handlers as unknown as CrudHandlers<N>;
}
