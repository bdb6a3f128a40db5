import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { messageSchema } from '../../../contract/operations/messages.ts';
import type { Database } from '../../connection/database.ts';
import { affectedRows, countRow } from '../statements.ts';

export interface NewMessage {
  readonly conversation_id: string;
  readonly sender_type: 'visitor' | 'admin';
  readonly content: string;
  readonly sent_by: string | null;
  readonly from_draft_of: number | null;
}

const insertedMessage = z.object({ id: z.int(), status_before: z.string() });

/**
 * Inserts a message, and returns its id and the conversation's status before, or null without such a conversation.
 * Locks the conversation before the message gets its id and its time, so that both are in the order of the commits: a
 * reader that has seen an id has missed no lower one.
 */
export async function insertMessage(tx: Database, message: NewMessage) {
  const { conversation_id, sender_type, content, sent_by, from_draft_of } = message;
  return await tx.maybeOne(sql.type(insertedMessage)`
    with conversation as materialized (
      select id, status from conversations where id = ${conversation_id} for no key update
    ), inserted as (
      insert into conversation_messages
        (conversation_id, sender_type, content, sent_by, from_draft_of, created_at)
      select id, ${sender_type}, ${content}, ${sent_by}, ${from_draft_of}::bigint, clock_timestamp()
      from conversation
      returning id
    )
    select inserted.id, conversation.status as status_before from inserted, conversation
  `);
}

const draftRow = messageSchema
  .pick({ conversation_id: true, sender_type: true, status: true, ai_draft: true })
  .extend({ was_sent: z.boolean() });

/** A message with its draft, and whether a draft on it was sent. */
export type DraftedMessage = z.infer<typeof draftRow>;

/**
 * Reads a message and its draft, and keeps others from changing or sending the draft until the transaction ends.
 * Returns null if there is no message with the id. Locks the conversation, as every change to a conversation does
 * first.
 */
export async function lockDraft(db: Database, id: number | null): Promise<DraftedMessage | null> {
  await db.query(sql.unsafe`
    select from conversations
    where id = (select conversation_id from conversation_messages where id = ${id}::bigint)
    for no key update
  `);
  // A second statement, so that its snapshot includes what the previous holder of the lock did.
  return await db.maybeOne(sql.type(draftRow)`
    select m.conversation_id, m.sender_type, m.status, m.ai_draft,
      exists (select from conversation_messages reply where reply.from_draft_of = m.id) as was_sent
    from conversation_messages m
    where m.id = ${id}::bigint
    -- Another program may write drafts with SQL of its own, without locking the conversation.
    for no key update of m
  `);
}

/** Updates the draft on a message. Null removes it. */
export async function updateMessageDraft(tx: Database, id: number | null, draft: string | null) {
  await tx.query(sql.unsafe`
    update conversation_messages set ai_draft = ${draft} where id = ${id}::bigint
  `);
}

/** The condition that a message `m` is unread. */
export const isUnread = sql.fragment`m.sender_type = 'visitor' and m.status = 'sent'`;

/** Selects the unread messages of a conversation: `from` and `where`. */
export const unreadMessages = (id: FragmentSqlToken) => sql.fragment`
  from conversation_messages m
  where m.conversation_id = ${id} and ${isUnread}
`;

/**
 * Marks the unread messages of a conversation as read, up to an id if one is given (null matches no message), and
 * returns how many. Messages get their ids under the lock that this takes, so one that arrives later has a higher id
 * and stays unread.
 */
export async function markConversationRead(db: Database, id: string, upTo: number | null | undefined) {
  const seen = upTo === undefined ? sql.fragment`true` : sql.fragment`m.id <= ${upTo}::bigint`;
  return await markMessages(db, id, sql.fragment`status = 'read'`, sql.fragment`${isUnread} and ${seen}`);
}

/**
 * Marks the visitor's messages of a conversation as unread again, from an id on (null matches no message), or else the
 * newest one. Returns how many.
 */
export async function markConversationUnread(db: Database, id: string, from: number | null | undefined) {
  const newest = sql.fragment`(
    select n.id from conversation_messages n
    where n.conversation_id = ${id} and n.sender_type = 'visitor'
    order by n.created_at desc, n.id desc
    limit 1
  )`;
  const wanted = from === undefined ? sql.fragment`m.id = ${newest}` : sql.fragment`m.id >= ${from}::bigint`;
  const isRead = sql.fragment`m.sender_type = 'visitor' and m.status <> 'sent'`;
  return await markMessages(db, id, sql.fragment`status = 'sent'`, sql.fragment`${isRead} and ${wanted}`);
}

/** Updates messages `m` of a conversation under its lock. Returns how many. */
async function markMessages(db: Database, id: string, set: FragmentSqlToken, where: FragmentSqlToken) {
  return await affectedRows(db)`
    with conversation as materialized (
      select id from conversations where id = ${id} for no key update
    )
    update conversation_messages m set ${set}
    from conversation
    where m.conversation_id = conversation.id and ${where}
  `;
}

/** Returns how many unread messages a conversation has. */
export async function countUnreadMessages(db: Database, id: string): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`select count(*) ${unreadMessages(sql.fragment`${id}`)}`);
}
