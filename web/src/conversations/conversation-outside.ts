/* What the rest of the dashboard shows of conversations. Every page loads it, so it imports little. */

import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import type { Entry } from '../app/palette/entries.ts';
import type { Conversation } from './conversation-resource.ts';

/** How many conversations have messages that nobody has read. */
export const unreadQuery = queryOptions({
  queryKey: ['conversations', 'unread'],
  queryFn: async ({ signal }) => {
    const input = { limit: 1, count: '1' } as const;
    return (await client.call('conversations.list', input, signal)).unread_total ?? 0;
  },
});

receivers.add(({ type }) => {
  // Also in a hidden tab: the title of its window says it.
  if (/^(message\.created|conversations?\.(created|updated|deleted)|visitor\.erased)$/.test(type))
    reloadSoon(unreadQuery.queryKey, true);
});

/** Returns the line of the palette that opens a conversation. */
export function conversationEntry({
  id,
  visitor_name: name,
  visitor_email: email,
  subject,
}: Pick<Conversation, 'id' | 'visitor_name' | 'visitor_email' | 'subject'>): Entry {
  return {
    key: `conversation ${id}`,
    label: subject === '' ? name || email : `${name || email}: ${subject}`,
    description: email,
    icon: 'conversations',
    isThing: true,
    link: { to: '/conversations', search: { id } },
  };
}
