import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/lists.ts';
import { messageSchema } from '../../contract/schemas/messages.ts';
import type { Database } from '../connection/pool.ts';
import { isoTimestamp } from '../timestamps.ts';
import { conversationList } from './conversations.ts';
import { linkedIssues } from './links.ts';

const threadRow = z.object({ part: z.enum(['conversation', 'issue', 'message', 'next']), json: z.string() });
const position = z.tuple([z.string(), z.int()]);

/** Bytes of texts after which a page ends, whatever its limit: a message may be as long as a request. */
const pageBytes = 8 * 1024 * 1024;

/** A page of a thread, as the JSON texts that Postgres makes of it. */
export interface ThreadRows {
  /** A row of the list of conversations; undefined where there is none of that id. */
  readonly conversation: string | undefined;
  /** The oldest first; fewer than the limit where they are long, but one at least. */
  readonly messages: readonly string[];
  /** The newest link first; the newest 100. */
  readonly issues: readonly string[];
  /** The place of the oldest message, where there are older ones. */
  readonly next: Position<number> | null;
}

/**
 * Reads a conversation and the newest of its messages. It is one statement, so that the count of unread messages is
 * that of the messages beside it.
 *
 * @param cursor - only messages that are older than this place
 */
export async function selectThread(
  db: Database,
  conversationId: string,
  limit: number,
  cursor?: Position<number>,
): Promise<ThreadRows> {
  const { columns, source, conditions } = conversationList({ id: conversationId });
  const older =
    cursor === undefined
      ? sql.fragment`true`
      : sql.fragment`(m.created_at, m.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::bigint)`;
  const rows = await db.any(sql.type(threadRow)`
    with latest as (
      select *
      from conversation_messages m
      where m.conversation_id = ${conversationId} and ${older}
      order by m.created_at desc, m.id desc
      limit ${limit + 1}
    ), newest as materialized (
      select m.*,
        row_number() over newest_first as place,
        -- Of the messages before it; a length is known without reading the text.
        sum(octet_length(m.content) + coalesce(octet_length(m.ai_draft), 0)) over newest_first
          - octet_length(m.content) - coalesce(octet_length(m.ai_draft), 0) as bytes_before
      from latest m
      window newest_first as (order by m.created_at desc, m.id desc rows unbounded preceding)
    ), page as (
      select * from newest where place <= ${limit} and bytes_before < ${pageBytes}
    ), message as (
      select id, conversation_id, sender_type, content, ai_draft, status,
        ${isoTimestamp(sql.fragment`created_at`)} as created_at, sent_by, from_draft_of
      from page
      order by place desc
    ), oldest as (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, id
      from page
      where place = (select max(place) from page) and exists (select from newest where place > page.place)
    )
    select 'conversation' as part, row_to_json(found)::text as json
    from (select ${columns} ${source} where ${sql.and(conditions)}) as found
    union all
    select 'issue', row_to_json(issue)::text from (${linkedIssues(conversationId)}) as issue
    union all
    select 'message', row_to_json(message)::text from message
    union all
    select 'next', json_build_array(at, id)::text from oldest
  `);
  const textsOf = (part: string) => rows.filter((row) => row.part === part).map(({ json }) => json);
  const [place] = textsOf('next');
  return {
    conversation: textsOf('conversation')[0],
    messages: textsOf('message'),
    issues: textsOf('issue'),
    next: place === undefined ? null : position.parse(JSON.parse(place)),
  };
}

export interface NewMessage {
  readonly conversation_id: string;
  readonly sender_type: 'visitor' | 'admin';
  readonly content: string;
  readonly sent_by: string | null;
  readonly from_draft_of: number | null;
}

const insertedMessage = z.object({ id: z.int(), status_before: z.string() });

export type InsertedMessage = z.infer<typeof insertedMessage>;

/**
 * Adds a message to a conversation, whose status before it returns too; null where there is no such conversation.
 *
 * The conversation is locked before the message gets its id and its time, so that within a conversation both are in
 * the order of the commits: whoever has seen an id has missed none below it.
 */
export async function insertMessage(db: Database, message: NewMessage): Promise<InsertedMessage | null> {
  const { conversation_id, sender_type, content, sent_by, from_draft_of } = message;
  return await db.maybeOne(sql.type(insertedMessage)`
    with conversation as materialized (
      select id, status from conversations where id = ${conversation_id} for no key update
    ), message as (
      insert into conversation_messages
        (conversation_id, sender_type, content, sent_by, from_draft_of, created_at)
      select id, ${sender_type}, ${content}, ${sent_by}, ${from_draft_of}::bigint, clock_timestamp()
      from conversation
      returning id
    )
    select message.id, conversation.status as status_before from message, conversation
  `);
}

const draftRow = messageSchema
  .pick({ conversation_id: true, sender_type: true, status: true, ai_draft: true })
  .extend({ was_sent: z.boolean() });

/** A message, its draft, and whether a draft on it was sent. */
export type DraftedMessage = z.infer<typeof draftRow>;

/**
 * Reads a message and its draft, which nobody else changes or sends until the transaction ends; null where there is
 * none of that id. The lock is on its conversation: what adds to or deletes a conversation takes that first too.
 */
export async function lockDraft(db: Database, id: number | null): Promise<DraftedMessage | null> {
  await db.query(sql.unsafe`
    select from conversations
    where id = (select conversation_id from conversation_messages where id = ${id}::bigint)
    for no key update
  `);
  // A statement of its own, whose snapshot has what the last holder of the lock did.
  return await db.maybeOne(sql.type(draftRow)`
    select m.conversation_id, m.sender_type, m.status, m.ai_draft,
      exists (select from conversation_messages reply where reply.from_draft_of = m.id) as was_sent
    from conversation_messages m
    where m.id = ${id}::bigint
  `);
}

/** Sets or, with null, removes the draft on a message. */
export async function updateMessageDraft(
  db: Database,
  id: number | null,
  draft: string | null,
): Promise<void> {
  await db.query(sql.unsafe`
    update conversation_messages set ai_draft = ${draft} where id = ${id}::bigint
  `);
}
