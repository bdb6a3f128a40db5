import type { List } from '../../list/list.ts';
import { indexOfKey } from '../../list/state.ts';
import type { Store } from '../../state/store.ts';
import type { IssueRow } from './row.ts';
import type { IssuesState } from './state.ts';

/** The issues that the next change is for. */
export interface Selection {
  toggle(row: IssueRow): void;
  all(): void;
  clear(): void;
  /** Starts a range at the row. The cursor is its other end. If a range is open, ends it: its rows stay selected. */
  toggleRange(row: IssueRow): void;
  /** Returns false if no range is open. */
  endRange(): boolean;
  /** Selects the rows up to the cursor, while a range is open. */
  follow(): void;
}

export function issueSelection(store: Store<IssuesState>, list: List<IssueRow>): Selection {
  /** The row at which the range starts, and what was selected besides. */
  let range: { readonly from: number; readonly others: ReadonlySet<number> } | undefined;
  /** The row of the cursor when the range was selected last. */
  let to: number | undefined;
  const select = (selected: ReadonlySet<number>) => store.set({ selected, isRange: range !== undefined });

  const selection: Selection = {
    toggle({ id }) {
      const selected = new Set(store.get().selected);
      if (!selected.delete(id)) selected.add(id);
      select(selected);
    },
    all: () => select(new Set(list.store.get().rows.map(({ id }) => id))),
    clear() {
      range = undefined;
      select(new Set());
    },
    toggleRange({ id }) {
      if (selection.endRange()) return;
      range = { from: id, others: store.get().selected };
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
      const current = list.current()?.id;
      if (range === undefined || current === undefined || current === to) return;
      to = current;
      const { shown, index } = list.store.get();
      const start = indexOfKey(shown, range.from, index, ({ id }) => id);
      // The row has left the list, for example because it no longer matches.
      if (start === -1) return void selection.endRange();
      const [first, last] = start < index ? [start, index] : [index, start];
      const rows = shown.slice(first, last + 1);
      select(new Set([...range.others, ...rows.map(({ id }) => id)]));
    },
  };
  return selection;
}
