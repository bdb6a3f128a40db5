import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { receivers } from '../app/data/receivers.ts';
import { reloadSoon } from '../app/data/reload.ts';

/** How many conversations have messages that nobody has read. Every page shows it, so this file imports little. */
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
