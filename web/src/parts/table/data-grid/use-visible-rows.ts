import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

const phone = '(max-width: 48em)';
const rowHeights = { desk: 40, phone: 56 };
/** The head covers the first rows. */
const headHeights = { desk: 40, phone: 0 };
/** How many rows above and below the visible ones are in the document. */
const overscan = 6;
/** How many rows before the end of what is loaded the next page is asked for. */
const rowsAhead = 200;

/**
 * Returns which rows of a table of any length are in view.
 *
 * @param onNearEnd - called when the rows that are loaded are about to end
 */
export function useVisibleRows(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  onNearEnd: () => void,
) {
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const device = isPhone ? 'phone' : 'desk';
  const rowHeight = rowHeights[device];
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    // Rows begin below the head, so that those at the end would be below the edge.
    scrollPaddingEnd: headHeights[device],
  });
  useEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight]);
  const visible = virtual.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastVisible > count - rowsAhead) onNearEnd();
  }, [lastVisible, count, onNearEnd]);
  return { virtual, visible, rowHeight };
}
