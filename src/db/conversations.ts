import { sql } from 'slonik';
import { z } from 'zod';
import { isoTimestamp, streamJsonList, type Write } from './json.ts';
import type { Database } from './pool.ts';

const idRow = z.object({ id: z.string() });

/** Every conversation with its computed fields, the latest updated first, as `{"conversations":[…]}` (contract 4.4). */
export async function streamConversations(db: Database, write: Write): Promise<void> {
  const query = sql.fragment`
    select c.id, c.visitor_email, c.visitor_name, c.subject, c.status,
      ${isoTimestamp(sql.fragment`c.created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`c.updated_at`)} as updated_at,
      newest.content as last_message,
      ${isoTimestamp(sql.fragment`newest.created_at`)} as last_message_at,
      (
        select count(*) from conversation_messages m
        where m.conversation_id = c.id and m.sender_type = 'visitor' and m.status = 'sent'
      ) as unread_count
    from conversations c
    left join lateral (
      select m.content, m.created_at from conversation_messages m
      where m.conversation_id = c.id
      order by m.created_at desc, m.id desc
      limit 1
    ) newest on true
    order by c.updated_at desc, c.id desc
  `;
  await streamJsonList(db, 'conversations', query, write);
}

export interface NewConversation {
  readonly visitor_email: string;
  readonly visitor_name: string;
  readonly subject: string;
  /** The visitor's first message; none when empty. */
  readonly initial_message: string;
}

/** Inserts a conversation and its first message. Returns false when the id is taken. */
export async function insertConversation(
  db: Database,
  id: string,
  conversation: NewConversation,
): Promise<boolean> {
  const { visitor_email, visitor_name, subject, initial_message } = conversation;
  const inserted = await db.maybeOneFirst(sql.type(idRow)`
    with conversation as (
      insert into conversations (id, visitor_email, visitor_name, subject)
      values (${id}, ${visitor_email}, ${visitor_name}, ${subject})
      on conflict (id) do nothing
      returning id
    ), message as (
      insert into conversation_messages (conversation_id, sender_type, content)
      select id, 'visitor', ${initial_message} from conversation where ${initial_message} <> ''
    )
    select id from conversation
  `);
  return inserted !== null;
}
