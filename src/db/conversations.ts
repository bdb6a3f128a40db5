import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../contract/lists.ts';
import { contains, isoTimestamp, type ListQuery } from './json.ts';
import type { Database } from './pool.ts';

/** Which conversations are asked for; what is absent does not matter. */
export interface ConversationFilter {
  readonly status?: string | undefined;
  /** Only those with unread messages. */
  readonly unread?: boolean | undefined;
  /** Contained in the visitor's name or e-mail, or in the subject. */
  readonly q?: string | undefined;
  /** Bounds of `updated_at`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only those after this place in the list. */
  readonly cursor?: Position<string> | undefined;
}

const unreadMessages = sql.fragment`
  from conversation_messages m
  where m.conversation_id = c.id and m.sender_type = 'visitor' and m.status = 'sent'
`;

/** The list of contract 4.4 with its computed fields, the latest updated first. */
export function conversationList(filter: ConversationFilter): ListQuery {
  const { status, unread, q, since, until, cursor } = filter;
  const conditions = [
    status !== undefined && sql.fragment`c.status = ${status}`,
    unread === true && sql.fragment`exists (select ${unreadMessages})`,
    q !== undefined &&
      contains([sql.fragment`c.visitor_name`, sql.fragment`c.visitor_email`, sql.fragment`c.subject`], q),
    since !== undefined && sql.fragment`c.updated_at >= ${since}::timestamptz`,
    until !== undefined && sql.fragment`c.updated_at < ${until}::timestamptz`,
    cursor !== undefined && sql.fragment`(c.updated_at, c.id) < (${cursor[0]}::timestamptz, ${cursor[1]})`,
  ];
  return {
    columns: sql.fragment`
      c.id, c.visitor_email, c.visitor_name, c.subject, c.status,
      ${isoTimestamp(sql.fragment`c.created_at`)} as created_at,
      ${isoTimestamp(sql.fragment`c.updated_at`)} as updated_at,
      newest.content as last_message,
      ${isoTimestamp(sql.fragment`newest.created_at`)} as last_message_at,
      (select count(*) ${unreadMessages}) as unread_count
    `,
    source: sql.fragment`
      from conversations c
      left join lateral (
        select m.content, m.created_at from conversation_messages m
        where m.conversation_id = c.id
        order by m.created_at desc, m.id desc
        limit 1
      ) newest on true
    `,
    conditions,
    time: sql.fragment`c.updated_at`,
    id: sql.fragment`c.id`,
  };
}

export interface NewConversation {
  readonly visitor_email: string;
  readonly visitor_name: string;
  readonly subject: string;
  /** The visitor's first message; none when empty. */
  readonly initial_message: string;
}

const insertedConversation = z.object({ id: z.string(), message_id: z.int().nullable() });

export type InsertedConversation = z.infer<typeof insertedConversation>;

/** Inserts a conversation and its first message. Returns null when the id is taken. */
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
