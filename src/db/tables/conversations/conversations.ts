import { sql } from 'slonik';
import { z } from 'zod';
import { conversations } from '../../../contract/fields/conversations.ts';
import { eventDataOf } from '../../../contract/of-noun.ts';
import type { Database } from '../../connection/database.ts';

export interface NewConversation {
  readonly visitor_email: string;
  readonly visitor_name: string;
  readonly subject: string;
  /** The visitor's first message. Empty means none. */
  readonly initial_message: string;
}

const insertedConversation = z.object({ id: z.string(), message_id: z.int().nullable() });

export type InsertedConversation = z.infer<typeof insertedConversation>;

/** Inserts a conversation and its first message. Returns null if the id is taken. */
export async function insertConversation(
  db: Database,
  id: string,
  conversation: NewConversation,
): Promise<InsertedConversation | null> {
  const { visitor_email, visitor_name, subject, initial_message } = conversation;
  return await db.maybeOne(sql.type(insertedConversation)`
    with conversation as (
      insert into conversations (id, visitor_email, visitor_name, subject)
      values (${id}, ${visitor_email}, ${visitor_name}, ${subject})
      on conflict (id) do nothing
      returning id
    ), message as (
      insert into conversation_messages (conversation_id, sender_type, content)
      select id, 'visitor', ${initial_message} from conversation where ${initial_message} <> ''
      returning id
    )
    select id, (select id from message) as message_id from conversation
  `);
}

const statusRow = z.object({ status: z.string() });

/** Returns the status of a conversation, or null if there is none with the id. */
export async function selectConversationStatus(db: Database, id: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(statusRow)`select status from conversations where id = ${id}`);
}

const recordedFields = eventDataOf(conversations);

/** Locks a conversation before its deletion and returns its fields for the audit record, or null if there is none. */
export async function lockConversation(
  db: Database,
  id: string,
): Promise<z.infer<typeof recordedFields> | null> {
  return await db.maybeOne(sql.type(recordedFields)`
    select visitor_email, subject, status from conversations where id = ${id} for update
  `);
}

/** Deletes a conversation and its messages. */
export async function deleteConversationRow(db: Database, id: string): Promise<void> {
  await db.query(sql.unsafe`delete from conversations where id = ${id}`);
}

const oldConversation = z.object({ id: z.string(), status: z.string() });

/**
 * Locks resolved and closed conversations that nobody has touched for some days, oldest first, up to a limit. Leaves out
 * those that somebody is changing.
 */
export async function lockOldConversations(
  tx: Database,
  days: number,
  limit: number,
): Promise<readonly z.infer<typeof oldConversation>[]> {
  // The expression of conversations_status_updated_at_id_idx.
  const isOld = sql.fragment`
    left(status, 100) in ('resolved', 'closed') and updated_at < now() - make_interval(days => ${days})
  `;
  return await tx.any(sql.type(oldConversation)`
    select id, status from conversations
    where id in (select id from conversations where ${isOld} order by updated_at, id limit ${limit}) and ${isOld}
    order by id
    for update skip locked
  `);
}
