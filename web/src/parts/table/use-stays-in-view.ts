import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Keeps the row that keys act on in view when its list gets lower: a bar for the selected rows comes below it.
 *
 * @param show - scrolls to the row
 */
export function useStaysInView(list: RefObject<HTMLElement | null>, show: () => void): void {
  const onLower = useEffectEvent(show);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    let before = 0;
    const observer = new ResizeObserver(() => {
      if (current.clientHeight < before) onLower();
      before = current.clientHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [list]);
}
