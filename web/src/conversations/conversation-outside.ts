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

type Named = Pick<Conversation, 'id' | 'visitor_name' | 'visitor_email' | 'subject'>;

/** Returns what a conversation's visitor is called. */
export const visitorOf = ({ visitor_name: name, visitor_email: email }: Named): string => name || email;

/** Returns the line of the palette that opens a conversation. */
export function conversationEntry(conversation: Named): Entry {
  const { id, visitor_email: email, subject } = conversation;
  return {
    key: `conversation ${id}`,
    label: [visitorOf(conversation), subject].filter(Boolean).join(': '),
    description: email,
    icon: 'conversations',
    isThing: true,
    link: { to: '/conversations', search: { id } },
  };
}
