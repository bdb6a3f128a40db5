import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';
import { commandKey } from '../app/commands/keys.ts';
import type { Rows, ShownList } from './list.ts';
import type { Action, AnyRow } from './rows.ts';

const phone = '(max-width: 36em)';
const headHeight = 40;
const rowHeights = { desk: 40, phone: 56 };
/** How many rows above and below the visible ones are in the document. */
const overscan = 6;
/** How many rows before the end of what is loaded the next page is asked for. */
const rowsAhead = 200;

/** Returns which row keys act on, by its place. It stays the same row if the rows change their places. */
export function useActive<Row extends AnyRow>(rows: Rows<Row>) {
  const [{ index, id }, set] = useState({ index: 0, id: rows.at(0)?.id });
  const place = rows.at(index)?.id === id ? index : rows.indexOf(id);
  const active = place === -1 ? Math.min(index, rows.length - 1) : place;
  return [active, (next: number) => set({ index: next, id: rows.at(next)?.id })] as const;
}

/** Returns which rows are in view. The head lies over the first ones, so that much is kept free above the active row. */
export function useVisibleRows<Row extends AnyRow>(
  scroller: RefObject<HTMLDivElement | null>,
  { rows: { length: count }, loadNext }: ShownList<Row>,
  isInline: boolean,
  itemHeight: number | undefined,
) {
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const rowHeight = itemHeight ?? (isPhone ? rowHeights.phone : rowHeights.desk);
  const top = isPhone || itemHeight !== undefined ? 0 : headHeight;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: top,
  });
  useEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight]);
  const visible = isInline
    ? Array.from({ length: count }, (_row, index) => ({ index, key: index, start: 0 }))
    : virtual.getVirtualItems();
  const isNearEnd = (visible.at(-1)?.index ?? 0) > count - rowsAhead;
  useEffect(() => {
    if (isNearEnd) loadNext();
  }, [isNearEnd, count]);
  return { virtual, visible, rowHeight, top };
}

/** Returns the keys of a table as the sheet of shortcuts lists them. */
export function listedKeys<Row>(opens: boolean, isSelectable: boolean, actions: readonly Action<Row>[]) {
  const selecting = [
    { keys: 'x', title: 'Select the row' },
    { keys: 'Shift+X', title: 'Select up to the row' },
    { keys: `${commandKey} A`, title: 'Select all rows' },
  ];
  return [
    { keys: 'j', title: 'Next row', run: focusTable },
    { keys: 'k', title: 'Previous row', run: focusTable },
    ...(opens ? [{ keys: 'Enter', title: 'Open the row' }] : []),
    ...(isSelectable ? selecting : []),
    ...actions.flatMap(({ key, label }) => (key === undefined ? [] : [{ keys: key, title: label }])),
  ];
}

/** Gives the focus to the table, which handles its keys itself. */
export function focusTable(): void {
  document.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
}
