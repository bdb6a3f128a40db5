import { sql } from 'slonik';
import { z } from 'zod';
import { conversations } from '../../../contract/fields/conversations.ts';
import { eventDataOf } from '../../../contract/of-noun.ts';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import type { channels } from '../../../contract/vocabulary.ts';
import { type Database, withoutTimeouts } from '../../connection/database.ts';
import { textRow } from '../statements.ts';
import { unreadMessages } from './messages.ts';

export type NewConversation = ParsedInputOf<'conversations.create'> & {
  /** By default, the API. */
  readonly channel?: (typeof channels)[number];
  readonly page?: string | null;
};

const insertedConversation = z.object({ id: z.string(), message_id: z.int().nullable() });

export type InsertedConversation = z.infer<typeof insertedConversation>;

/** Inserts a conversation and its first message. Returns null if the id is taken. */
export async function insertConversation(db: Database, id: string, conversation: NewConversation) {
  const {
    visitor_email,
    visitor_name,
    subject,
    initial_message,
    channel = 'api',
    page = null,
  } = conversation;
  return await db.maybeOne(sql.type(insertedConversation)`
    with conversation as (
      insert into conversations (id, visitor_email, visitor_name, subject, channel, page)
      values (${id}, ${visitor_email}, ${visitor_name}, ${subject}, ${channel}, ${page})
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

/** Returns the status of a conversation, or null if there is none with the id. */
export async function selectConversationStatus(db: Database, id: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(textRow)`select status from conversations where id = ${id}`);
}

const recordedFields = eventDataOf(conversations);

/** Locks a conversation before its deletion and returns its fields for the audit record, or null if there is none. */
export async function lockConversation(db: Database, id: string) {
  return await db.maybeOne(sql.type(recordedFields)`
    select visitor_email, subject, status from conversations where id = ${id} for update
  `);
}

/** Deletes conversations with their messages, comments, history and links. */
export async function deleteConversations(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`delete from conversations where id = any(${sql.array([...ids], 'text')})`);
}

const oldConversation = z.object({ id: z.string(), status: z.string() });

/**
 * Locks resolved and closed conversations that nobody has touched for some days, oldest first, up to a limit. Leaves out
 * those that somebody is changing.
 */
export async function lockOldConversations(tx: Database, days: number, limit: number) {
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

const previewDifference = z.object({
  conversation_id: z.string(),
  /** The message that is kept as the newest one. Null if none is kept. */
  kept: z.int().nullable(),
  /** The newest message. Null if there is none. */
  actual: z.int().nullable(),
});

/** A preview that differs from the messages of its conversation. */
export type PreviewDifference = z.infer<typeof previewDifference>;

/**
 * Returns the previews that differ from the newest message of their conversation and the unread ones, in one snapshot.
 * Both messages are the same one if only its time, its text or the count differs. Reads all conversations, but blocks
 * no statement.
 */
export async function checkConversationPreviews(db: Database): Promise<readonly PreviewDifference[]> {
  return await withoutTimeouts(
    db,
    async (tx) =>
      await tx.any(sql.type(previewDifference)`
        select coalesce(actual.conversation_id, kept.conversation_id) as conversation_id,
          kept.message_id as kept, actual.id as actual
        from (
          select c.id as conversation_id, newest.*,
            (select count(*) ${unreadMessages(sql.fragment`c.id`)}) as unread_count
          from conversations c
          cross join lateral (
            select m.id, m.created_at, conversation_preview_content(m.content)::text as content
            from conversation_messages m
            where m.conversation_id = c.id
            order by m.created_at desc, m.id desc
            limit 1
          ) as newest
        ) as actual
        full join conversation_previews as kept on kept.conversation_id = actual.conversation_id
        where (kept.message_id, kept.message_at, kept.content::text, kept.unread_count)
          is distinct from (actual.id, actual.created_at, actual.content, actual.unread_count)
        order by conversation_id
      `),
  );
}

/** Reports whether there are more conversations than the given number. Reads at most that many and one more. */
export async function hasMoreConversationsThan(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from conversations offset ${count} limit 1`);
}

/**
 * Finds the newest message of every conversation and counts the unread ones again, in one transaction. Blocks writers of
 * messages, but not readers.
 */
export async function rebuildConversationPreviews(db: Database): Promise<void> {
  await withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select rebuild_conversation_previews()`));
}
