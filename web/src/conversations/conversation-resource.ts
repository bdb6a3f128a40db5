import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import { conversations as noun } from '../../../src/contract/fields/conversations.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
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

/** Returns which conversations an event changes, or what is shown of them: `any` if it does not name them. */
export function changedConversations(event: EventOrGap): readonly string[] | 'any' | undefined {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
    case 'message.delivered':
      return [event.data.conversation_id];
    case 'link.created':
    case 'link.deleted':
      return event.data.conversation_id === undefined ? undefined : [event.data.conversation_id];
    case 'conversation.created':
    case 'conversation.updated':
    case 'conversation.deleted':
      return [String(event.subject_id)];
    case 'conversations.updated': {
      const { ids, count } = event.data;
      return ids.length < count ? 'any' : ids;
    }
    case 'visitor.erased':
      return 'any';
    default:
      return undefined;
  }
}
