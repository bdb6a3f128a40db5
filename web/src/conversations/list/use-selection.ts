import { useRef, useState } from 'react';

const nothing: ReadonlySet<string> = new Set();

/** Returns which rows are selected, and functions to change that. A range goes from the row that was last selected. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState(nothing);
  const anchor = useRef<string>(undefined);
  // What left the list by a filter, or was deleted, is not changed unseen.
  const selected = chosen.size === 0 ? chosen : chosen.intersection(new Set(ids));

  function toggle(id: string, isRange: boolean): void {
    const [from, to] = [ids.indexOf(anchor.current ?? id), ids.indexOf(id)].sort((one, other) => one - other);
    setChosen(
      isRange && from !== undefined && from >= 0 && to !== undefined
        ? selected.union(new Set(ids.slice(from, to + 1)))
        : selected.symmetricDifference(new Set([id])),
    );
    anchor.current = id;
  }

  return { selected, toggle, clear: () => setChosen(nothing) };
}
