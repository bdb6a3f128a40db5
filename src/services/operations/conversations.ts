import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  conversationList,
  countUnread,
  deleteConversationRow,
  type InsertedConversation,
  insertConversation,
  lockConversation,
  markConversationRead,
  type NewConversation,
  updateConversationStatus,
} from '../../db/tables/conversations.ts';
import { deleteLinks } from '../../db/tables/links.ts';
import type { Context } from '../call/context.ts';
import { newId } from '../ids.ts';
import { answerList } from '../streaming/list-answer.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';
import { linkDeleted } from './links.ts';

export async function listConversations(
  context: Context,
  { limit, ...filter }: ParsedInputOf<'conversations.list'>,
): Promise<StreamedJson> {
  return answerList(context, 'conversations.list', conversationList(filter), limit);
}

export async function createConversation(
  { change }: Context,
  conversation: ParsedInputOf<'conversations.create'>,
): Promise<OutputOf<'conversations.create'>> {
  const { visitor_email, subject } = conversation;
  const id = await change(async (tx, touch) => {
    const { id, message_id } = await insertNewConversation(tx, conversation);
    touch({ event: 'conversation.created', id, after: { visitor_email, subject, status: 'open' } });
    if (message_id !== null) {
      touch({
        event: 'message.created',
        id: message_id,
        after: { conversation_id: id, sender_type: 'visitor', status: 'sent' },
      });
    }
    return id;
  });
  return { success: true, conversation: { id } };
}

/** On a collision, a new id. */
async function insertNewConversation(
  tx: Database,
  conversation: NewConversation,
): Promise<InsertedConversation> {
  while (true) {
    const inserted = await insertConversation(tx, newId('conv', 7), conversation);
    if (inserted !== null) return inserted;
  }
}

export async function changeConversationStatus(
  { change }: Context,
  { id, status }: ParsedInputOf<'conversations.changeStatus'>,
): Promise<OutputOf<'conversations.changeStatus'>> {
  await change(async (tx, touch) => {
    const before = await updateConversationStatus(tx, id, status);
    if (before !== null && before !== status)
      touch({ event: 'conversation.updated', id, before: { status: before }, after: { status } });
  });
  return { success: true };
}

export async function readConversation(
  { change }: Context,
  { id, up_to }: ParsedInputOf<'conversations.read'>,
): Promise<OutputOf<'conversations.read'>> {
  const read = await change(async (tx, touch) => {
    const marked = await markConversationRead(tx, id, up_to);
    if (marked === 0) return marked;
    const unread_count = await countUnread(tx, id);
    touch({
      event: 'conversation.updated',
      id,
      before: { unread_count: unread_count + marked },
      after: { unread_count },
    });
    return marked;
  });
  return { success: true, read };
}

export async function deleteConversation(
  { change }: Context,
  { id }: ParsedInputOf<'conversations.delete'>,
): Promise<OutputOf<'conversations.delete'>> {
  await change(async (tx, touch) => {
    const before = await lockConversation(tx, id);
    if (before === null) return;
    const links = await deleteLinks(tx, { conversation_id: id, scraping_error_id: null });
    await deleteConversationRow(tx, id);
    touch(...links.map(linkDeleted), { event: 'conversation.deleted', id, before });
  });
  return { success: true };
}
