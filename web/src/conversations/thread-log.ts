import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from './thread-queries.ts';

/** How near to the end one still reads the newest message, in pixels. */
const endPx = 32;

interface Place {
  isAtEnd: boolean;
  /** What is at the top of the view, and where it was in the content. */
  anchor?: { readonly element: HTMLElement; readonly top: number } | undefined;
}

interface LogScroll {
  /** What scrolls. */
  readonly log: RefObject<HTMLDivElement | null>;
  /** What is in it; each of its children may be what one reads. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps what one reads in its place while messages come above and below. Who reads the end stays at the end. Browsers do
 * the first by themselves, but not all of them.
 *
 * @param first - the element that is at the top of the view at first; null for the end
 */
export function useLogScroll(first: RefObject<HTMLElement | null>): LogScroll {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useRef<Place>({ isAtEnd: true });
  const [isAtEnd, setIsAtEnd] = useState(true);

  const remember = useCallback(() => {
    const scroller = log.current;
    if (scroller === null || content.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const children = [...content.current.children].filter((child) => child instanceof HTMLElement);
    const element = children.find((child) => child.offsetTop + child.offsetHeight > scrollTop);
    place.current = {
      isAtEnd: scrollHeight - scrollTop - clientHeight <= endPx,
      anchor: element && { element, top: element.offsetTop },
    };
    setIsAtEnd(place.current.isAtEnd);
  }, []);

  const restore = useCallback(() => {
    const scroller = log.current;
    if (scroller === null) return;
    const { isAtEnd: staysAtEnd, anchor } = place.current;
    if (staysAtEnd) scroller.scrollTop = scroller.scrollHeight;
    else if (anchor?.element.isConnected) scroller.scrollTop += anchor.element.offsetTop - anchor.top;
    remember();
  }, [remember]);

  const toEnd = useCallback(() => {
    place.current = { isAtEnd: true };
    restore();
  }, [restore]);

  useLayoutEffect(() => {
    if (first.current !== null && log.current !== null) {
      log.current.scrollTop = first.current.offsetTop - endPx;
      remember();
    }
  }, [first, remember]);

  // Any drawing may have changed the heights.
  useLayoutEffect(restore);

  // The field below grows with its text, and the window changes its size.
  useEffect(() => {
    if (log.current === null || content.current === null) return;
    const observer = new ResizeObserver(restore);
    observer.observe(log.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [restore]);

  return { log, content, isAtEnd, toEnd, onScroll: remember };
}

/** Reports whether nobody of the team has read a message. */
export function isUnread({ sender_type: from, status }: Message): boolean {
  return from === 'visitor' && status === 'sent';
}

interface Seen {
  /** The message that the line of the new ones is above. */
  readonly firstNew: number | undefined;
  /** How many messages have come that were not looked at. */
  readonly unseen: number;
  /** Removes the line. */
  readonly clear: () => void;
}

/**
 * Remembers which messages have been looked at while the conversation is open.
 *
 * @param isLooking - whether the newest message is on the screen
 */
export function useSeen(messages: readonly Message[], isLooking: boolean): Seen {
  const newest = messages.at(-1)?.id ?? 0;
  const [{ seen, firstNew }, set] = useState(() => firstLook(messages));

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
    firstNew,
    unseen: isLooking ? 0 : messages.filter(({ id }) => id > seen).length,
    clear: () => set({ seen: newest, firstNew: undefined }),
  };
}

/** What nobody has read is new when a conversation is opened. */
function firstLook(messages: readonly Message[]): {
  readonly seen: number;
  readonly firstNew: number | undefined;
} {
  const index = messages.findIndex(isUnread);
  if (index === -1) return { seen: messages.at(-1)?.id ?? 0, firstNew: undefined };
  return { seen: messages[index - 1]?.id ?? 0, firstNew: messages[index]?.id };
}
