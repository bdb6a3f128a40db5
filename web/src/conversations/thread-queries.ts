import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/receivers.ts';
import { paced, reloadSoon } from '../app/data/reload.ts';
import { type Conversation, changedConversations, conversations } from './conversation-resource.ts';

export type Thread = OutputOf<'messages.list'>;
export type ThreadConversation = NonNullable<Thread['conversation']>;
export type Message = Thread['messages'][number];

const messagesPerPage = 50;
const otherConversations = 5;
const eventsPauseMs = 300;
const threadKey = ['conversations', 'thread'];
const visitorKey = ['conversations', 'visitor'];

/** A conversation with its messages; the first page has the newest ones, and the last page the oldest. */
export function threadQuery(id: string) {
  const include = 'assignee,labels,channel,delivery,attachments';
  return infiniteQueryOptions({
    queryKey: [...threadKey, id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('messages.list', { conversation_id: id, include, limit: messagesPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Whether replies are sent to visitors by mail, or why not. */
export const visitorMailQuery = queryOptions({
  queryKey: ['conversations', 'visitor-mail'],
  queryFn: async ({ signal }) =>
    (await client.call('session.show', { include: 'visitor_mail' }, signal)).visitor_mail ?? null,
});

/** What is known of a visitor besides one of the conversations. */
export interface VisitorFacts {
  /** The latest of the others. */
  readonly others: readonly Conversation[];
  readonly hasMore: boolean;
  /** When the first one began. */
  readonly since: string | undefined;
}

/** The conversations of a visitor, who is known by the e-mail address, besides one of them. */
export function visitorQuery(email: string, besides: string) {
  const ofVisitor = { visitor_email: email };
  return queryOptions({
    queryKey: [...visitorKey, email, besides],
    queryFn: async ({ signal }): Promise<VisitorFacts> => {
      const search = { ...ofVisitor, sort: '-created_at', limit: otherConversations + 1 } as const;
      const { conversations: latest, nextCursor } = await client.call('conversations.list', search, signal);
      const others = latest.filter(({ id }) => id !== besides).slice(0, otherConversations);
      const hasMore = typeof nextCursor === 'string';
      const first = hasMore
        ? (await client.call('conversations.list', { ...ofVisitor, sort: 'created_at', limit: 1 }, signal))
            .conversations
        : latest;
      return { others, hasMore, since: first.at(-1)?.created_at };
    },
  });
}

/** Reads the messages of a conversation again. Resolves after a run that began later than the call. */
export async function reloadThread(id: string): Promise<void> {
  const queryKey: QueryKey = [...threadKey, id];
  // A page that is on its way would be thrown away. It may be older than the call, so it does not count as a run.
  if (queryClient.isFetching({ queryKey }) > 0)
    await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false });
  await queryClient.invalidateQueries({ queryKey });
}

/** The conversations for what changes the open one: its messages are read again with it. */
export const openConversations: typeof conversations = {
  ...conversations,
  refresh: async (ids) => {
    await Promise.all([conversations.refresh(ids), ...ids.map(reloadThread)]);
  },
};

const changed = new Set<string>();
const readChanged = paced(async () => {
  const ids = [...changed];
  changed.clear();
  await Promise.all(ids.map(reloadThread));
}, eventsPauseMs);

/** Returns the loaded conversations: those that show one of these issues, or all. */
function loadedThreads(issues?: readonly number[]): readonly string[] {
  return queryClient
    .getQueriesData<{ readonly pages: readonly Thread[] }>({ queryKey: threadKey })
    .filter(
      ([, thread]) => issues === undefined || thread?.pages[0]?.issues.some(({ id }) => issues.includes(id)),
    )
    .map(([[, , id]]) => String(id));
}

receivers.add((event) => {
  const { type } = event;
  if (/^settings?\./.test(type)) reloadSoon(visitorMailQuery.queryKey);
  if (/^(conversations?|visitor)\./.test(type)) reloadSoon(visitorKey);
  let ids = changedConversations(event) ?? [];
  if (ids === 'any') ids = loadedThreads();
  if (type === 'issue.updated') ids = loadedThreads([Number(event.subject_id)]);
  if (type === 'issues.updated' || type === 'issues.deleted') ids = loadedThreads(event.data.ids);
  if (ids.length === 0) return;
  for (const id of ids) changed.add(id);
  void readChanged();
});
