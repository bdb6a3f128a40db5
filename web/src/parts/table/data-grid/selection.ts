import { useRef } from 'react';

/** The selected rows, which the page keeps. */
export interface Selection<Id> {
  readonly ids: ReadonlySet<Id>;
  /** Whether all rows of the list are selected, also those that are not loaded. */
  readonly isAll: boolean;
  readonly set: (ids: ReadonlySet<Id>) => void;
  readonly setAll: (isAll: boolean) => void;
}

/**
 * Returns a function that selects or deselects a row, or selects all rows from the last one on. If all rows of the list are
 * selected, deselecting one leaves the others that are loaded.
 */
export function useToggle<Id>(
  rows: readonly { readonly id: Id }[],
  selection: Selection<Id> | undefined,
): (index: number, isRange: boolean) => void {
  const anchor = useRef(0);
  return (index, isRange) => {
    const row = rows[index];
    if (selection === undefined || row === undefined) return;
    const chosen = selection.isAll ? new Set(rows.map(({ id }) => id)) : selection.ids;
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
    selection.set(
      isRange
        ? chosen.union(new Set(rows.slice(from, to + 1).map(({ id }) => id)))
        : chosen.symmetricDifference(new Set([row.id])),
    );
    anchor.current = index;
  };
}
