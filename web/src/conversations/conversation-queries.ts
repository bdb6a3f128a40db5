import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/client.ts';
import { queryClient } from '../app/query-client.ts';

const conversationsPerPage = 50;
const messagesPerPage = 50;

export type ConversationFilter = Pick<InputOf<'conversations.list'>, 'q' | 'status' | 'unread'>;
export type Conversation = OutputOf<'conversations.list'>['conversations'][number];
export type Thread = OutputOf<'messages.list'>;
export type ThreadConversation = NonNullable<Thread['conversation']>;
export type Message = Thread['messages'][number];

/** The conversations of a filter, the latest first. */
export function conversationsQuery(filter: ConversationFilter) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('conversations.list', { ...filter, limit: conversationsPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** How many conversations have messages that nobody has read. */
export const unreadQuery = queryOptions({
  queryKey: ['conversations', 'unread'],
  queryFn: async ({ signal }) => {
    const { unread_total: total = 0 } = await client.call(
      'conversations.list',
      { limit: 1, count: '1' },
      signal,
    );
    return total;
  },
});

/** A conversation with its messages; the first page has the newest ones, and the last page the oldest. */
export function threadQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'thread', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('messages.list', { conversation_id: id, limit: messagesPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Loads a conversation and the lists again. */
export async function reloadConversations(id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['conversations', 'list'] });
  void queryClient.invalidateQueries({ queryKey: ['conversations', 'unread'] });
  await queryClient.invalidateQueries({ queryKey: ['conversations', 'thread', id] });
}

/** Brings what is shown of conversations up to date. */
export function receiveConversationEvent(event: EventOrGap): void {
  if (event.type === 'message.created' || event.type === 'message.updated') {
    void reloadConversations(event.data.conversation_id);
  } else if (event.type.startsWith('conversation')) {
    void queryClient.invalidateQueries({ queryKey: ['conversations'] });
  }
}
