import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { reload } from './reload.ts';

const conversationsPerPage = 50;
const messagesPerPage = 50;

export type ConversationFilter = Pick<InputOf<'conversations.list'>, 'q' | 'status' | 'unread' | 'assignee'>;
export type Conversation = OutputOf<'conversations.list'>['conversations'][number];
export type Thread = OutputOf<'messages.list'>;
export type ThreadConversation = NonNullable<Thread['conversation']>;
export type Message = Thread['messages'][number];

/** The conversations of a filter with their assignees, the latest first. */
export function conversationsQuery(filter: ConversationFilter) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call(
        'conversations.list',
        { ...filter, include: 'assignee', limit: conversationsPerPage, cursor },
        signal,
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** A conversation with its messages; the first page has the newest ones, and the last page the oldest. */
export function threadQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'thread', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call(
        'messages.list',
        {
          conversation_id: id,
          include: 'assignee,channel,delivery,attachments',
          limit: messagesPerPage,
          cursor,
        },
        signal,
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Whether replies are sent to visitors by mail, or why not. */
export const visitorMailQuery = queryOptions({
  queryKey: ['conversations', 'visitor-mail'],
  queryFn: async ({ signal }) =>
    (await client.call('session.show', { include: 'visitor_mail' }, signal)).visitor_mail ?? null,
});

/** Loads a conversation and the lists again. Resolves when the conversation is there. */
export async function reloadConversations(id: string): Promise<void> {
  reloadLists();
  await reload(['conversations', 'thread', id]);
}

/** Loads the lists again, and what is counted of them. */
function reloadLists(): void {
  for (const part of ['list', 'visitor']) void reload(['conversations', part]);
}

/** Loads everything that is shown of conversations again. */
export function reloadAllConversations(): void {
  reloadLists();
  void reload(['conversations', 'thread']);
}

/** Brings what is shown of conversations up to date. */
export function receiveConversationEvent(event: EventOrGap): void {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
    case 'message.delivered':
      void reloadConversations(event.data.conversation_id);
      break;
    case 'setting.updated':
    case 'settings.updated':
    case 'setting.deleted':
      void reload(['conversations', 'visitor-mail']);
      break;
    case 'conversation.created':
      reloadLists();
      break;
    case 'conversation.updated':
    case 'conversation.deleted':
      void reloadConversations(String(event.subject_id));
      break;
    case 'conversations.updated':
    case 'visitor.erased':
      reloadAllConversations();
      break;
    case 'link.created':
    case 'link.deleted':
      if (event.data.conversation_id !== undefined)
        void reload(['conversations', 'thread', event.data.conversation_id]);
      break;
    case 'issue.updated':
      reloadThreadsWith([Number(event.subject_id)]);
      break;
    case 'issues.updated':
    case 'issues.deleted':
      reloadThreadsWith(event.data.ids);
      break;
  }
}

/** Loads the conversations again that show one of these issues. */
function reloadThreadsWith(ids: readonly number[]): void {
  for (const [key, data] of queryClient.getQueriesData<{ readonly pages: readonly Thread[] }>({
    queryKey: ['conversations', 'thread'],
  })) {
    const issues = data?.pages[0]?.issues ?? [];
    if (issues.some(({ id }) => ids.includes(id))) void reload(key);
  }
}
