import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectedRows, textRow } from '../statements.ts';
import { isOf, mentions, type Person } from './person.ts';

/** Returns the ids of the conversations of a person, oldest first. */
export async function selectConversationIdsOf(db: Database, person: Person): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(textRow)`
    select id from conversations where ${isOf(person, sql.fragment`visitor_email`)} order by created_at, id
  `);
}

/** A conversation of the person, or one of somebody else whose name or subject has the address. */
const lockedConversation = z.object({
  id: z.string(),
  status: z.string(),
  is_own: z.boolean(),
  messages: z.int(),
});

/** Locks the conversations that have something of a person, in the order of their ids, until the transaction ends. */
export async function lockConversationsWith(tx: Database, person: Person) {
  return await tx.any(sql.type(lockedConversation)`
    with locked as materialized (
      select id, status, ${isOf(person, sql.fragment`visitor_email`)} as is_own
      from conversations
      where ${isOf(person, sql.fragment`visitor_email`)}
        or ${mentions(person, sql.fragment`visitor_name`)} or ${mentions(person, sql.fragment`subject`)}
        or ${mentions(person, sql.fragment`labels_text(labels)`)}
      order by id
      for update
    )
    select id, status, is_own,
      (select count(*) from conversation_messages where is_own and conversation_id = locked.id) as messages
    from locked
    order by id
  `);
}

/** Replaces the address in the names, subjects and labels of conversations of others. */
export async function redactConversations(tx: Database, person: Person, ids: readonly string[]) {
  return await affectedRows(tx)`
    update conversations set
      visitor_name = erased_text(visitor_name, ${person.pattern}), subject = erased_text(subject, ${person.pattern}),
      labels = labels_of(erased_text(labels_text(labels), ${person.pattern}))
    where id = any(${sql.array([...ids], 'text')})
  `;
}

/** Returns a conversation with everything that belongs to it as JSON text, or null if it is gone. */
export async function selectConversationWithAll(db: Database, id: string): Promise<string | null> {
  const at = (column: string) =>
    sql.fragment`${isoTimestamp(sql.fragment`${sql.identifier([column])}`)} as ${sql.identifier([column])}`;
  return await db.maybeOneFirst(sql.type(textRow)`
    select json_build_object(
      'id', id, 'visitor_email', visitor_email, 'visitor_name', visitor_name, 'subject', subject, 'status', status,
      'labels', labels, 'created_at', ${isoTimestamp(sql.fragment`created_at`)}, 'updated_at', ${isoTimestamp(sql.fragment`updated_at`)},
      'messages', (
        select coalesce(json_agg(message order by message.created_at, message.id), '[]')
        from (
          select id, sender_type, content, ai_draft, status, sent_by, ${at('created_at')}
          from conversation_messages where conversation_id = ${id}
        ) as message
      ),
      'comments', (
        select coalesce(json_agg(comment order by comment.created_at, comment.id), '[]')
        from (
          select id, coalesce(author_username, author_name) as author, content, ${at('created_at')}, ${at('updated_at')}
          from comments where conversation_id = ${id}
        ) as comment
      ),
      'history', (
        select coalesce(json_agg(edit order by edit.created_at, edit.id), '[]')
        from (
          select id, field, before, after, ${at('created_at')} from conversation_history where conversation_id = ${id}
        ) as edit
      ),
      'issue_ids', (
        select coalesce(json_agg(issue_id order by issue_id), '[]') from issue_links where conversation_id = ${id}
      )
    )::text as json
    from conversations where id = ${id}
  `);
}
