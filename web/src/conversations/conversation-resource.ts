import type { InfiniteData } from '@tanstack/react-query';
import type { Event } from '../../../src/contract/events/envelope.ts';
import { conversations as noun } from '../../../src/contract/fields/conversations.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import type { AnyRow } from '../kit/rows.ts';

export type Conversation = OutputOf<'conversations.list'>['conversations'][number] &
  Pick<AnyRow, 'isDeleted'>;
export type ConversationChange = InputOf<'conversations.update'>['set'];
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
    const seen = expected && Object.keys(expected).length > 0 ? { expected } : {};
    return (await client.call('conversations.update', { ids: [id], set, ...seen })).change_id;
  },
  isChangedByIds: true,
  updateMany: (target, set) =>
    client.call('conversations.update', { ids: 'ids' in target ? [...target.ids] : [], set }),
  changedBy: changedConversations,
});

/** The key of what a conversation is read with: its messages and its issues. They are read again when it changes. */
export const threadKey = (id: string) => [noun.id, 'one', id, 'thread'] as const;

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
