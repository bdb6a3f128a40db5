import { useSyncExternalStore } from 'react';

/**
 * Keeps what is known of rows since their list was loaded: changes that were just made here, and events. A patch is laid
 * over a row where the row is drawn. Written into the loaded pages, it would be lost when a page that is on its way
 * arrives (TanStack Query issue 3579), and it would copy 100,000 rows to change one.
 */
export function createRowPatches<Id, Row extends object>() {
  let patches: ReadonlyMap<Id, Partial<Row>> = new Map();
  const listeners = new Set<() => void>();

  function set(next: typeof patches): void {
    patches = next;
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    add(changes: Iterable<readonly [Id, Partial<Row>]>): void {
      const next = new Map(patches);
      for (const [id, change] of changes) next.set(id, { ...next.get(id), ...change });
      set(next);
    },
    clear(): void {
      set(new Map());
    },
    use: () => useSyncExternalStore(subscribe, () => patches),
  };
}
