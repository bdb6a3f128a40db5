import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import {
  conversationList,
  type InsertedConversation,
  insertConversation,
  type NewConversation,
} from '../db/conversations.ts';
import type { Database } from '../db/pool.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';
import { answerList } from './lists.ts';
import type { StreamedJson } from './streamed-json.ts';

export async function listConversations(
  { db }: Context,
  { limit, ...filter }: ParsedInputOf<'conversations.list'>,
): Promise<StreamedJson> {
  return answerList(db, 'conversations', conversationList(filter), limit);
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
