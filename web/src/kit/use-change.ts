import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { offerUndo } from '../parts/offer-undo.tsx';
import { tellError } from '../parts/tell.ts';
import { capital } from '../parts/words.ts';
import { undo } from './change-many.ts';
import type { Resource } from './resource.ts';
import type { AnyRow, Values } from './rows.ts';

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
  done = `${nameOfRow(resource.noun.one, id)} changed`,
): Promise<void> {
  const changeId = await resource.update?.(id, set, expected);
  if (changeId != null) offerUndo(done, () => undo(resource, [changeId]));
}

/** Names a row. Ids that are no numbers tell people nothing. */
const nameOfRow = (noun: string, id: string | number) =>
  typeof id === 'number' ? `${capital(noun)} ${id}` : capital(noun);

/** Changes one row at once, and offers to undo it. Changes of the same row follow each other. */
export function useChange<Row extends AnyRow>(resource: Resource<Row>, id: Row['id']) {
  const { noun, refresh } = resource;
  /** What the changes under way set, which the row does not show yet. */
  const own = useRef<{ count: number; values: Values }>({ count: 0, values: {} });
  const mutation = useMutation({
    scope: { id: `${noun.id} ${id}` },
    mutationFn: ({ set, expected }: OneChange) => changeRow(resource, id, set, expected),
    onError: tellError,
    onSettled: async () => {
      await refresh([id]);
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
