import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import { type Conversation, conversations, threadKey } from './conversation-resource.ts';

export type Thread = OutputOf<'messages.list'>;
export type Message = Thread['messages'][number];

const messagesPerPage = 50;
const shownOthers = 5;
const visitorKey = ['conversations', 'visitor'];

/** The messages of a conversation, and its issues; the first page has the newest ones, and the last page the oldest. */
export function threadQuery(id: string) {
  const input = { conversation_id: id, include: 'delivery,attachments', limit: messagesPerPage } as const;
  return infiniteQueryOptions({
    queryKey: threadKey(id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => client.call('messages.list', { ...input, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Reads the messages of a conversation again, beside when it changes. Resolves when they are there. */
export const reloadThread = (id: string) => queryClient.invalidateQueries({ queryKey: threadKey(id) });

/** Whether replies are sent to visitors by mail, or why not. */
export const visitorMailQuery = queryOptions({
  queryKey: ['conversations', 'visitor-mail'],
  queryFn: async ({ signal }) =>
    (await client.call('session.show', { include: 'visitor_mail' }, signal)).visitor_mail ?? null,
});

/** The latest other conversations of the visitor of one, who is known by the e-mail address, and when the first one began. */
export function visitorQuery({ id, visitor_email }: Conversation) {
  return queryOptions({
    queryKey: [...visitorKey, visitor_email, id],
    queryFn: async ({ signal }) => {
      const latest = { visitor_email, sort: '-created_at' } as const;
      const { rows, next } = await conversations.read(latest, { limit: shownOthers + 1 }, signal);
      const oldest = { visitor_email, sort: 'created_at' } as const;
      const { rows: first } = next ? await conversations.read(oldest, { limit: 1 }, signal) : { rows };
      return {
        others: rows.filter((other) => other.id !== id).slice(0, shownOthers),
        hasMore: next !== undefined,
        since: first.at(-1)?.created_at,
      };
    },
  });
}

receivers.add(({ type }) => {
  if (/^settings?\./.test(type)) reloadSoon(visitorMailQuery.queryKey);
  if (/^(conversations?|visitor)\./.test(type)) reloadSoon(visitorKey);
});
