import { createStore } from './store.ts';

/**
 * Keeps what is known of rows since their list was loaded: changes that were just made here, and events. A patch is laid
 * over a row where the row is drawn. Written into the loaded pages, it would be lost when a page that is on its way
 * arrives (TanStack Query issue 3579), and it would copy 100,000 rows to change one.
 */
export function createRowPatches<Id, Row extends object>() {
  const store = createStore<ReadonlyMap<Id, Partial<Row>>>(new Map());
  return {
    add(changes: Iterable<readonly [Id, Partial<Row>]>): void {
      const next = new Map(store.get());
      for (const [id, change] of changes) next.set(id, { ...next.get(id), ...change });
      store.set(next);
    },
    clear: () => store.set(new Map()),
    use: store.use,
  };
}
