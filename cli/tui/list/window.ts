import { useRef } from 'react';

/** Which part of a list was seen, and where its cursor was. */
export interface ListWindow {
  readonly top: number;
  readonly index: number;
  readonly key: string | number | undefined;
}

/** Rows that stay in sight above and below the cursor. */
const margin = 2;

/**
 * Which row is the first that is seen, so that the cursor is in sight and nothing jumps: rows that come in above leave
 * the cursor on its line, unless the top of the list is seen, where they appear.
 */
export function follow(
  before: ListWindow,
  index: number,
  key: ListWindow['key'],
  total: number,
  height: number,
): ListWindow {
  const moved = key !== undefined && key === before.key ? index - before.index : 0;
  let top = before.top === 0 ? 0 : before.top + moved;
  const edge = Math.min(margin, Math.floor((height - 1) / 2));
  top = Math.min(top, index - edge);
  top = Math.max(top, index + edge - height + 1);
  top = Math.max(0, Math.min(top, total - height));
  return { top, index, key };
}

/** The same for a component, from one drawing to the next. */
export function useListWindow(index: number, key: ListWindow['key'], total: number, height: number): number {
  const seen = useRef<ListWindow>({ top: 0, index: 0, key: undefined });
  seen.current = follow(seen.current, index, key, total, height);
  return seen.current.top;
}
