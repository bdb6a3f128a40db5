import { useRef } from 'react';

/** The part of a list that was visible, and the cursor in it. */
export interface ListWindow {
  readonly top: number;
  readonly index: number;
  readonly key: string | number | undefined;
}

/** Rows that stay visible above and below the cursor. */
const marginRows = 2;

/**
 * Returns the part of a list to show, so that the cursor is visible and nothing jumps. When rows are added above, the
 * cursor keeps its screen line, unless the first row is visible: then the new rows appear at the top.
 */
export function scrollWindow(
  before: ListWindow,
  index: number,
  key: ListWindow['key'],
  total: number,
  height: number,
): ListWindow {
  const moved = key !== undefined && key === before.key ? index - before.index : 0;
  let top = before.top === 0 ? 0 : before.top + moved;
  const margin = Math.min(marginRows, Math.floor((height - 1) / 2));
  top = Math.min(top, index - margin);
  top = Math.max(top, index + margin - height + 1);
  top = Math.max(0, Math.min(top, total - height));
  return { top, index, key };
}

/** Returns the index of the first visible row, for a component that keeps it from one drawing to the next. */
export function useListWindow(index: number, key: ListWindow['key'], total: number, height: number): number {
  const shown = useRef<ListWindow>({ top: 0, index: 0, key: undefined });
  shown.current = scrollWindow(shown.current, index, key, total, height);
  return shown.current.top;
}
