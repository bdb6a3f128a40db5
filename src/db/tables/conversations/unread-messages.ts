import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

/** The condition that a message `m` is unread. */
export const isUnread = sql.fragment`m.sender_type = 'visitor' and m.status = 'sent'`;

/** Selects the unread messages of a conversation: `from` and `where`. */
export const unreadMessages = (id: FragmentSqlToken) => sql.fragment`
  from conversation_messages m
  where m.conversation_id = ${id} and ${isUnread}
`;

const countRow = z.object({ count: z.int() });

/**
 * Marks the unread messages of a conversation as read, up to an id if one is given (null matches no message). Messages
 * get their ids under the lock that this takes (see `insertMessage`), so a message that arrives later has a higher id
 * and stays unread.
 *
 * @returns how many messages it marked
 */
export async function markConversationRead(
  db: Database,
  id: string,
  upTo: number | null | undefined,
): Promise<number> {
  const seen = upTo === undefined ? sql.fragment`true` : sql.fragment`m.id <= ${upTo}::bigint`;
  return await db.oneFirst(sql.type(countRow)`
    with conversation as materialized (
      select id from conversations where id = ${id} for no key update
    ), message as (
      update conversation_messages m set status = 'read'
      from conversation
      where m.conversation_id = conversation.id and ${isUnread} and ${seen}
      returning m.id
    )
    select count(*) from message
  `);
}

/**
 * Marks the visitor's messages of a conversation as unread again, from an id on (null matches no message), or else the
 * newest one.
 *
 * @returns how many messages it marked
 */
export async function markConversationUnread(
  db: Database,
  id: string,
  from: number | null | undefined,
): Promise<number> {
  const newest = sql.fragment`(
    select n.id from conversation_messages n
    where n.conversation_id = ${id} and n.sender_type = 'visitor'
    order by n.created_at desc, n.id desc
    limit 1
  )`;
  const wanted = from === undefined ? sql.fragment`m.id = ${newest}` : sql.fragment`m.id >= ${from}::bigint`;
  return await db.oneFirst(sql.type(countRow)`
    with conversation as materialized (
      select id from conversations where id = ${id} for no key update
    ), message as (
      update conversation_messages m set status = 'sent'
      from conversation
      where m.conversation_id = conversation.id and m.sender_type = 'visitor' and m.status <> 'sent' and ${wanted}
      returning m.id
    )
    select count(*) from message
  `);
}

/** Returns how many unread messages a conversation has. */
export async function countUnreadMessages(db: Database, id: string): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`select count(*) ${unreadMessages(sql.fragment`${id}`)}`);
}
