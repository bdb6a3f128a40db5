import { type InfiniteData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { conversations as noun } from '../../../src/contract/fields/conversations.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import type { AnyRow } from '../kit/rows.ts';

export type Conversation = OutputOf<'conversations.list'>['conversations'][number] &
  Pick<AnyRow, 'isDeleted'>;
export type Message = OutputOf<'messages.list'>['messages'][number];
type ConversationChange = InputOf<'conversations.update'>['set'];
export type ConversationFilter = FilterOf<typeof noun> & {
  readonly unread?: string | undefined;
  readonly visitor_email?: string | undefined;
};

/** The conversations with their assignees and labels. What belongs to one, such as its messages, is below its key. */
export const conversations = resource<Conversation, ConversationFilter, ConversationChange>({
  noun,
  // The list draws items of its own.
  columns: [],
  newest: 'updated_at',
  async read(filter, part, signal) {
    const input = { ...filter, ...part, include: 'assignee,labels,channel' } as const;
    const page = await client.call('conversations.list', input as InputOf<'conversations.list'>, signal);
    return { rows: page.conversations, next: page.nextCursor ?? undefined, total: page.total };
  },
  async update(id, set, expected) {
    return (await client.call('conversations.update', { ids: [id], set, expected })).change_id;
  },
  isChangedByIds: true,
  updateMany: (target, set) =>
    client.call('conversations.update', { ids: 'ids' in target ? [...target.ids] : [], set }),
  changedBy: changedConversations,
});

/** The key of what a conversation is read with: its messages and its issues. They are read again when it changes. */
const threadKey = (id: string) => [noun.id, 'one', id, 'thread'] as const;

/** Returns which conversations an event of another noun changes, or what is shown of them. */
function changedConversations(event: Event): readonly string[] | 'any' | undefined {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
    case 'message.delivered':
    case 'link.created':
    case 'link.deleted':
      return event.data.conversation_id === undefined ? [] : [event.data.conversation_id];
    case 'issue.updated':
      return conversationsWith([Number(event.subject_id)]);
    case 'issues.updated':
    case 'issues.deleted':
      return conversationsWith(event.data.ids);
    case 'visitor.erased':
      return 'any';
    default:
      return undefined;
  }
}

/** Returns the loaded conversations that show one of these issues. */
function conversationsWith(issues: readonly number[]): readonly string[] {
  return queryClient
    .getQueriesData<InfiniteData<OutputOf<'messages.list'>>>({
      predicate: ({ queryKey }) => queryKey[3] === 'thread',
    })
    .filter(([, thread]) => thread?.pages[0]?.issues.some(({ id }) => issues.includes(id)))
    .map(([[, , id]]) => String(id));
}

const messagesPerPage = 50;
const shownOthers = 5;
const visitorKey = ['conversations', 'visitor'];

/** Returns the messages of a conversation, oldest first, and its issues. The first page has the newest messages. */
export function useThread(id: string) {
  const input = { conversation_id: id, include: 'delivery,attachments', limit: messagesPerPage } as const;
  const list = useInfiniteQuery({
    queryKey: threadKey(id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => client.call('messages.list', { ...input, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const pages = list.data?.pages ?? [];
  return {
    list,
    messages: pages.toReversed().flatMap(({ messages }) => messages),
    issues: pages[0]?.issues ?? [],
  };
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
