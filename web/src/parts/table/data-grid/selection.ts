import { useRef } from 'react';

/** The selected rows, which the page keeps. */
export interface Selection<Id> {
  readonly ids: ReadonlySet<Id>;
  readonly set: (ids: ReadonlySet<Id>) => void;
}

/** Returns a function that selects or deselects a row, or selects all rows from the last one on. */
export function useToggle<Id>(
  rows: readonly { readonly id: Id }[],
  selection: Selection<Id> | undefined,
): (index: number, isRange: boolean) => void {
  const anchor = useRef(0);
  return (index, isRange) => {
    const row = rows[index];
    if (selection === undefined || row === undefined) return;
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
    selection.set(
      isRange
        ? selection.ids.union(new Set(rows.slice(from, to + 1).map(({ id }) => id)))
        : selection.ids.symmetricDifference(new Set([row.id])),
    );
    anchor.current = index;
  };
}
