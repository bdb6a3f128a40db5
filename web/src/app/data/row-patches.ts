import { useCallback } from 'react';
import { createStore } from '../store.ts';

/**
 * Keeps what is known of rows since their list was loaded: changes that were just made here, and events. A patch is laid
 * over a row where the row is drawn. Written into the loaded pages, it would be lost when a page that is on its way
 * arrives (TanStack Query issue 3579), and it would copy 100,000 rows to change one.
 */
export function createRowPatches<Id, Row extends { readonly id: Id }>() {
  const store = createStore<ReadonlyMap<Id, Partial<Row>>>(new Map());
  /** The rows that were drawn with a patch, so that a row that is drawn again is the same object. */
  const patched = new WeakMap<Row, { readonly patch: Partial<Row>; readonly row: Row }>();

  function lay(row: Row, patch: Partial<Row> | undefined): Row {
    if (patch === undefined) return row;
    const known = patched.get(row);
    if (known?.patch === patch) return known.row;
    const next = { ...row, ...patch };
    patched.set(row, { patch, row: next });
    return next;
  }

  return {
    add(changes: Iterable<readonly [Id, Partial<Row>]>): void {
      const next = new Map(store.get());
      for (const [id, change] of changes) next.set(id, { ...next.get(id), ...change });
      store.set(next);
    },
    clear: () => store.set(new Map()),
    /** Returns a function that lays what is known of a row over it. It is another one when something new is known. */
    usePatch(): (row: Row) => Row {
      const patches = store.use();
      return useCallback((row) => lay(row, patches.get(row.id)), [patches]);
    },
  };
}
