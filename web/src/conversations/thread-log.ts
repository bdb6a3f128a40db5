import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from './conversation-resource.ts';

/** How near to the end one still reads the newest message, in pixels. */
const endPx = 32;

/**
 * Keeps what one reads in its place while messages come above and below. Who reads the end stays at the end. Browsers do
 * the first by themselves, but not all of them. Each child of the only child of `log` may be what one reads; one with
 * `data-first` is at the top of the view at first.
 */
export function useLogScroll() {
  const log = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const wasAtEnd = useRef(true);
  /** What is at the top of the view, and where it was in the content. */
  const anchor = useRef<{ readonly element: HTMLElement; readonly top: number }>(undefined);

  function remember(): void {
    if (log.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = log.current;
    const children = [...log.current.querySelectorAll<HTMLElement>(':scope > * > *')];
    const element = children.find((child) => child.offsetTop + child.offsetHeight > scrollTop);
    anchor.current = element && { element, top: element.offsetTop };
    wasAtEnd.current = scrollHeight - scrollTop - clientHeight <= endPx;
    setIsAtEnd(wasAtEnd.current);
  }

  function restore(): void {
    if (log.current === null) return;
    const { element, top = 0 } = anchor.current ?? {};
    if (wasAtEnd.current) log.current.scrollTop = log.current.scrollHeight;
    else if (element?.isConnected) log.current.scrollTop += element.offsetTop - top;
    remember();
  }

  function toEnd(): void {
    wasAtEnd.current = true;
    restore();
  }

  useLayoutEffect(() => {
    const first = log.current?.querySelector<HTMLElement>('[data-first]');
    if (log.current === null || !first) return;
    log.current.scrollTop = first.offsetTop - endPx;
    remember();
  }, []);

  // Any drawing may have changed the heights.
  useLayoutEffect(restore);

  // The field below grows with its text, and the window changes its size.
  useEffect(() => {
    const observer = new ResizeObserver(restore);
    for (const element of [log.current, log.current?.firstElementChild])
      if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return { log, isAtEnd, toEnd, onScroll: remember };
}

/** Reports whether nobody of the team has read a message. */
export function isUnread({ sender_type: from, status }: Message): boolean {
  return from === 'visitor' && status === 'sent';
}

/**
 * Remembers which messages have been looked at while the conversation is open.
 *
 * @param isLooking - whether the newest message is on the screen
 */
export function useSeen(messages: readonly Message[], isLooking: boolean) {
  const newest = messages.at(-1)?.id ?? 0;
  const [{ seen, firstNew }, set] = useState(() => {
    // What nobody has read is new when a conversation is opened.
    const index = messages.findIndex(isUnread);
    const before = index === -1 ? messages.at(-1) : messages[index - 1];
    return { seen: before?.id ?? 0, firstNew: messages[index]?.id };
  });

  useEffect(() => {
    set((before) => {
      const isLineSeen = before.firstNew === undefined || before.firstNew <= before.seen;
      const unseen = messages.find(({ id, sender_type: from }) => id > before.seen && from === 'visitor');
      const line = isLineSeen && !isLooking && unseen !== undefined ? unseen.id : before.firstNew;
      const upTo = isLooking ? newest : before.seen;
      return line === before.firstNew && upTo === before.seen ? before : { firstNew: line, seen: upTo };
    });
  }, [messages, newest, isLooking]);

  return {
    /** The message that the line of the new ones is above. */
    firstNew,
    /** How many messages have come that were not looked at. */
    unseen: isLooking ? 0 : messages.filter(({ id }) => id > seen).length,
    /** Removes the line. */
    clear: () => set({ seen: newest, firstNew: undefined }),
  };
}
