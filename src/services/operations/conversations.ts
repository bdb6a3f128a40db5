import { conversations } from '../../contract/fields/conversations.ts';
import { selectConversationHistory } from '../../db/changes/history.ts';
import { updateStatus } from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockRow } from '../../db/nouns/rows.ts';
import { conversationList } from '../../db/tables/conversations/conversation-list.ts';
import { deleteConversations, lockConversation } from '../../db/tables/conversations/conversations.ts';
import {
  countUnreadMessages,
  markConversationRead,
  markConversationUnread,
} from '../../db/tables/conversations/messages.ts';
import { deleteLinks } from '../../db/tables/links.ts';
import { assigneeIdOf } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { addConversation } from '../changes/conversations.ts';
import { linkDeleted } from '../changes/links.ts';
import { authorOf } from '../changes/record.ts';
import { updateMany } from '../changes/update.ts';
import { answerList, answerNewest } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const conversationHandlers = {
  'conversations.list': async (context, { limit, count, assignee, ...filter }) => {
    const assignee_id = assigneeIdOf(assignee, context.actor);
    const query = conversationList({ ...filter, assignee_id });
    return answerList(context, 'conversations.list', query, { limit, count });
  },

  'conversations.create': async ({ change }, conversation) => {
    const { id } = await change((tx, record) => addConversation(tx, record, conversation));
    return { success: true, conversation: { id } };
  },

  'conversations.changeStatus': ({ change, actor }, { id, status, expected }) =>
    change(async (tx, record) => {
      if (expected !== undefined) {
        checkExpected('conversation', expected, await lockRow(tx, conversations, id));
      }
      const before = await updateStatus(tx, 'conversations', id, status, authorOf(actor));
      if (before === null) return;
      record({ event: 'conversation.updated', id, before: { status: before }, after: { status } });
    }),

  'conversations.update': (context, update) => updateMany(context, 'conversations', update),

  'conversations.read': async ({ change }, { id, up_to }) => {
    const read = await change(async (tx, record) => {
      const marked = await markConversationRead(tx, id, up_to);
      await recordUnread(tx, record, id, -marked);
      return marked;
    });
    return { success: true, read };
  },

  'conversations.unread': async ({ change }, { id, from }) => {
    const unread = await change(async (tx, record) => {
      const marked = await markConversationUnread(tx, id, from);
      await recordUnread(tx, record, id, marked);
      return marked;
    });
    return { success: true, unread };
  },

  'conversations.delete': ({ change }, { id }) =>
    change(async (tx, record) => {
      const before = await lockConversation(tx, id);
      if (before === null) return;
      const links = await deleteLinks(tx, { conversation_id: id, scraping_error_id: null });
      await deleteConversations(tx, [id]);
      record(...links.map(linkDeleted), { event: 'conversation.deleted', id, before });
    }),

  'conversations.history': async (context, filter) =>
    answerNewest(context, 'history', () => selectConversationHistory(context.db, filter)),
} satisfies HandlersOf<'conversations'>;

/** Records by how much the count of unread messages has changed, if it has. */
async function recordUnread(tx: Database, record: RecordChange, id: string, change: number): Promise<void> {
  if (change === 0) return;
  const unread_count = await countUnreadMessages(tx, id);
  const before = { unread_count: unread_count - change };
  record({ event: 'conversation.updated', id, before, after: { unread_count } });
}
