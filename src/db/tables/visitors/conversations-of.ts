import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { deliveryOf } from '../conversations/message-deliveries.ts';
import { idRanges, textRow } from '../statements.ts';
import { isOf, type Person } from './person.ts';
import { conversationTexts, isMentionedIn, redactionOf } from './written-texts.ts';

const ofPerson = (person: Person) => isOf(person, sql.fragment`visitor_email`);

/** Returns the ids of the conversations of a person. */
export async function selectConversationIdsOf(db: Database, person: Person): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const range of idRanges(db, 'conversations')) {
    const found = await db.anyFirst(sql.type(textRow)`
      select id from conversations where ${range} and ${ofPerson(person)} order by id
    `);
    ids.push(...found);
  }
  return ids;
}

/** A conversation of the person, or one of somebody else whose name, subject or labels had the address. */
const lockedConversation = z.object({
  id: z.string(),
  status: z.string(),
  is_own: z.boolean(),
  messages: z.int(),
});

/**
 * Locks the conversations that have something of a person, in the order of their ids, until the transaction ends, and
 * replaces the address in those of others. Returns those of the person, and how many others there were.
 */
export async function lockConversationsWith(tx: Database, person: Person) {
  const own: z.infer<typeof lockedConversation>[] = [];
  let redacted = 0;
  for await (const range of idRanges(tx, 'conversations')) {
    const locked = await tx.any(sql.type(lockedConversation)`
      with locked as materialized (
        select id, status, ${ofPerson(person)} as is_own
        from conversations
        where ${range} and (${ofPerson(person)} or ${isMentionedIn(person, conversationTexts)})
        order by id
        for update
      )
      select id, status, is_own,
        (select count(*) from conversation_messages where is_own and conversation_id = locked.id) as messages
      from locked
      order by id
    `);
    const others = locked.filter(({ is_own }) => !is_own).map(({ id }) => id);
    await tx.query(sql.unsafe`
      update conversations set ${redactionOf(person, conversationTexts)}
      where id = any(${sql.array(others, 'text')})
    `);
    own.push(...locked.filter(({ is_own }) => is_own));
    redacted += others.length;
  }
  return { own, redacted };
}

/** Returns a conversation with everything that belongs to it as JSON text, or null if it is gone. */
export async function selectConversationWithAll(db: Database, id: string): Promise<string | null> {
  const at = (column: string) =>
    sql.fragment`${isoTimestamp(sql.fragment`${sql.identifier([column])}`)} as ${sql.identifier([column])}`;
  return await db.maybeOneFirst(sql.type(textRow)`
    select json_build_object(
      'id', id, 'visitor_email', visitor_email, 'visitor_name', visitor_name, 'subject', subject, 'status', status,
      'channel', channel, 'page', page, 'labels', labels, 'created_at', ${isoTimestamp(sql.fragment`created_at`)}, 'updated_at', ${isoTimestamp(sql.fragment`updated_at`)},
      'messages', (
        select coalesce(json_agg(
          case when delivery.json is null then row_to_json(message)
            else (left(row_to_json(message)::text, -1) || ',"delivery":' || delivery.json || '}')::json end
          order by message.created_at, message.id
        ), '[]')
        from (
          select id, sender_type, content, ai_draft, status, sent_by, ${at('created_at')}
          from conversation_messages where conversation_id = ${id}
        ) as message
        left join lateral (${deliveryOf(sql.fragment`message.id`)}) as delivery (json) on true
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
