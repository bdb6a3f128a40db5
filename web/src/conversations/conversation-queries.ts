import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { client } from '../app/client.ts';
import { queryClient } from '../app/query-client.ts';

const pageSize = 50;

export const conversationsQuery = infiniteQueryOptions({
  queryKey: ['conversations', 'list'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) =>
    client.call('conversations.list', { limit: pageSize, cursor: pageParam }, signal),
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

/** The messages of a conversation, with the conversation and its issues. */
export function threadQuery(id: string) {
  return queryOptions({
    queryKey: ['conversations', 'thread', id],
    queryFn: ({ signal }) => client.call('messages.list', { conversation_id: id }, signal),
  });
}

/** Brings what is shown of conversations up to date. */
export function receiveConversationEvent(event: EventOrGap): void {
  if (!/^(conversations?|message)\./.test(event.type)) return;
  void queryClient.invalidateQueries({ queryKey: ['conversations'] });
}
