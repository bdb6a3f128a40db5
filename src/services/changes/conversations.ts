import { conversations } from '../../contract/fields/conversations.ts';
import { recordedOf } from '../../contract/of-noun.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type InsertedConversation,
  insertConversation,
  type NewConversation,
} from '../../db/tables/conversations/conversations.ts';
import type { RecordChange } from '../call/changes.ts';
import { newId } from '../ids.ts';

/** Adds a conversation and its first message, if there is one. Returns their ids. */
export async function addConversation(
  tx: Database,
  record: RecordChange,
  conversation: NewConversation,
): Promise<InsertedConversation> {
  const inserted = await insertWithNewId(tx, conversation);
  const { id: conversation_id, message_id } = inserted;
  const after = recordedOf(conversations, conversation);
  record({ event: 'conversation.created', id: conversation_id, after });
  if (message_id !== null) {
    const sent = { conversation_id, sender_type: 'visitor', status: 'sent' } as const;
    record({ event: 'message.created', id: message_id, after: sent });
  }
  return inserted;
}

/** Tries another random id if the first is taken. */
async function insertWithNewId(tx: Database, conversation: NewConversation): Promise<InsertedConversation> {
  while (true) {
    const inserted = await insertConversation(tx, newId('conv', 7), conversation);
    if (inserted !== null) return inserted;
  }
}
