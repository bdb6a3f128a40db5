import type { List } from '../../list/list.ts';
import { indexOfKey } from '../../list/state.ts';
import type { Store } from '../../state/store.ts';

/** The selected rows, as a screen keeps them. */
export interface SelectionState<Key> {
  readonly selected: ReadonlySet<Key>;
  /** The cursor moves the end of a range of selected rows. */
  readonly isRange: boolean;
}

/** The rows that the next change is for. */
export interface Selection<Row, Key> {
  keys(): ReadonlySet<Key>;
  toggle(row: Row): void;
  all(): void;
  clear(): void;
  /** Deselects some rows. Ends an open range. */
  remove(keys: ReadonlySet<Key>): void;
  /** Starts a range at the row. The cursor is its other end. If a range is open, ends it: its rows stay selected. */
  toggleRange(row: Row): void;
  /** Returns false if no range is open. */
  endRange(): boolean;
  /** Selects the rows up to the cursor, while a range is open. */
  follow(): void;
}

export function createSelection<Row, Key extends string | number>(
  store: Pick<Store<SelectionState<Key>>, 'get' | 'set'>,
  list: List<Row>,
  keyOf: (row: Row) => Key,
): Selection<Row, Key> {
  /** The row at which the range starts, and what was selected besides. */
  let range: { readonly from: Key; readonly others: ReadonlySet<Key> } | undefined;
  /** The row of the cursor when the range was selected last. */
  let to: Key | undefined;
  const select = (selected: ReadonlySet<Key>) => store.set({ selected, isRange: range !== undefined });

  const selection: Selection<Row, Key> = {
    keys: () => store.get().selected,
    toggle(row) {
      const selected = new Set(store.get().selected);
      if (!selected.delete(keyOf(row))) selected.add(keyOf(row));
      select(selected);
    },
    all: () => select(new Set(list.store.get().rows.map(keyOf))),
    clear() {
      range = undefined;
      select(new Set());
    },
    remove(keys) {
      range = undefined;
      select(new Set([...store.get().selected].filter((key) => !keys.has(key))));
    },
    toggleRange(row) {
      if (selection.endRange()) return;
      range = { from: keyOf(row), others: store.get().selected };
      to = undefined;
      selection.follow();
    },
    endRange() {
      if (range === undefined) return false;
      range = undefined;
      store.set({ isRange: false });
      return true;
    },
    follow() {
      const row = list.current();
      if (range === undefined || row === undefined || keyOf(row) === to) return;
      to = keyOf(row);
      const { shown, index } = list.store.get();
      const start = indexOfKey(shown, range.from, index, keyOf);
      // The row has left the list, for example because it no longer matches.
      if (start === -1) return void selection.endRange();
      const [first, last] = start < index ? [start, index] : [index, start];
      select(new Set([...range.others, ...shown.slice(first, last + 1).map(keyOf)]));
    },
  };
  return selection;
}
