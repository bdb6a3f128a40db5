import { useEffect, useState } from 'react';
import type { Message } from '../conversation-queries.ts';

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
  const index = messages.findIndex(
    ({ sender_type: from, status }) => from === 'visitor' && status === 'sent',
  );
  if (index === -1) return { seen: messages.at(-1)?.id ?? 0, firstNew: undefined };
  return { seen: messages[index - 1]?.id ?? 0, firstNew: messages[index]?.id };
}
