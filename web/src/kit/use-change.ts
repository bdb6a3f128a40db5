import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import type { Field, Value } from '../form/field.tsx';
import { offerUndo, tell, tellError } from '../parts/tell.tsx';
import { capital, countOf } from '../parts/words.ts';
import type { Resource, ShownResource } from './resource.ts';
import type { Action, AnyRow, Values } from './rows.ts';

/** A change of one row. */
export interface OneChange {
  readonly set: Values;
  /** What was seen of it. If somebody has changed that since, nothing is changed. */
  readonly expected: Values;
}

/**
 * Changes one row, and offers to undo it.
 *
 * @param done - says what was done
 */
export async function changeRow<Row extends AnyRow>(
  resource: Resource<Row>,
  id: Row['id'],
  set: Values,
  expected: Values,
  // Ids that are no numbers tell people nothing.
  done = `${capital(resource.noun.one)}${typeof id === 'number' ? ` ${id}` : ''} changed`,
): Promise<void> {
  const changeId = await resource.update?.(id, set, expected);
  if (changeId != null) offerUndo(done, () => undo(resource, [changeId]));
}

/** Changes one row at once, and offers to undo it. Changes of the same row follow each other. */
export function useChange<Row extends AnyRow>(resource: Resource<Row>, id: Row['id']) {
  /** What the changes under way set, which the row does not show yet. */
  const own = useRef<{ count: number; values: Values }>({ count: 0, values: {} });
  const mutation = useMutation({
    scope: { id: `${resource.noun.id} ${id}` },
    mutationFn: ({ set, expected }: OneChange) => changeRow(resource, id, set, expected),
    onError: tellError,
    onSettled: async (_answer, error) => {
      const shown = resource.refresh([id]);
      // After a failure, it is shown when the service can be reached again. The next change does not wait for that.
      if (error === null) await shown;
      if (--own.current.count === 0) own.current.values = {};
    },
  });
  function change({ set, expected }: OneChange): void {
    const { count, values } = own.current;
    own.current = { count: count + 1, values: { ...values, ...set } };
    // One of the values may be null: nobody.
    const seen = Object.entries(expected).map(([name, value]) => [
      name,
      Object.hasOwn(values, name) ? values[name] : value,
    ]);
    mutation.mutate({ set, expected: Object.fromEntries(seen) });
  }
  return { change, isPending: mutation.isPending };
}

type Texts<Name extends string> = { readonly [Each in Name]: Value };

/** Returns what a `Form` needs to edit fields of a row: what they are, what they are now, and how they are saved. */
export function formOfRow<Row extends AnyRow, Name extends string>(
  of: Resource<Row>,
  row: Row,
  fields: Readonly<Record<Name, Field>>,
) {
  const { id } = row;
  const valuesOf = (from: Row) =>
    Object.fromEntries(
      Object.keys(fields).map((name) => [name, from[name as keyof Row] as Value]),
    ) as Texts<Name>;
  return {
    fields,
    start: valuesOf(row),
    now: valuesOf(row),
    keep: `${of.noun.id}.${id}`,
    what: `${of.noun.one} ${id}`,
    async reread() {
      const [now] = await of.byIds([id]);
      await of.refresh([id]);
      return now && valuesOf(now);
    },
    async send(set: Partial<Texts<Name>>, expected: Partial<Texts<Name>>) {
      await changeRow(of, id, set, expected);
      await of.refresh([id]);
    },
  };
}

/** Puts back what changes set, the last one first, wherever nobody has changed it since. Returns what to say then. */
export async function undo<Row extends AnyRow>(
  { noun, reload }: Resource<Row>,
  changeIds: readonly number[],
): Promise<string> {
  const sums = { restored: 0, left: 0 };
  try {
    for (const change_id of changeIds.toReversed()) {
      const { restored, left } = await client.call('changes.undo', { change_id });
      sums.restored += restored;
      sums.left += left;
    }
  } finally {
    void reload();
  }
  const rest = sums.left === 0 ? '' : ` ${countOf(sums.left, noun)} changed since and stay as they are.`;
  return `${countOf(sums.restored, noun)} restored.${rest}`;
}

/** Asks before an action that wants it, does it, shows the row as it is then, and says what was done or why not. */
export async function act<Row extends AnyRow>(
  { refresh }: Pick<ShownResource<Row>, 'refresh'>,
  { ask, run, done, undo }: Action<Row>,
  row: Row,
): Promise<void> {
  try {
    if (ask === undefined) await run(row);
    else if (!(await confirm({ ...ask(row), run: async () => await run(row) }))) return;
    if (done === undefined) return;
    if (undo === undefined) tell(done(row));
    else offerUndo(done(row), () => undo(row).finally(() => refresh([row.id])));
  } catch (error) {
    tellError(error as Error);
  } finally {
    void refresh([row.id]);
  }
}
