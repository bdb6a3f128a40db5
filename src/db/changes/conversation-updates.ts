import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ConversationValues } from '../../contract/schemas/changes/conversation-changes.ts';
import type { Database } from '../connection/database.ts';
import { unreadMessages } from '../tables/conversations/unread-messages.ts';

const idRow = z.object({ id: z.string() });
const countRow = z.object({ count: z.int() });
const foundConversation = z.object({ id: z.string(), differs: z.boolean() });

const isOneOf = (ids: readonly string[]): FragmentSqlToken =>
  sql.fragment`id = any(${sql.array([...ids], 'text')})`;

/** Finds conversations by their ids, and whether a change would change them. */
export async function countConversationsToChange(
  db: Database,
  ids: readonly string[],
  { status, read, assignee_id }: ConversationValues,
): Promise<readonly z.infer<typeof foundConversation>[]> {
  const differs = [
    status !== undefined && sql.fragment`status <> ${status}`,
    assignee_id !== undefined && sql.fragment`assignee_id is distinct from ${assignee_id}`,
    read === true && sql.fragment`exists (select ${unreadMessages(sql.fragment`conversations.id`)})`,
  ].filter((condition) => condition !== false);
  return await db.any(sql.type(foundConversation)`
    select id, (${sql.or(differs)}) as differs from conversations where ${isOneOf(ids)}
  `);
}

/** Finds conversations by their ids and locks them, in the order of their ids. */
export async function lockConversations(tx: Database, ids: readonly string[]): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(idRow)`
    select id from conversations where ${isOneOf(ids)} order by id for no key update
  `);
}

/** Assigns a value to a column of conversations. Only a change of status moves a conversation to the top of the list. */
export function assign(field: string, value: FragmentSqlToken): FragmentSqlToken {
  const column = sql.identifier([field]);
  if (field !== 'status') return sql.fragment`${column} = ${value}`;
  // Not now(): the start of the transaction may be before a message that arrived since.
  return sql.fragment`${column} = ${value}, updated_at = clock_timestamp()`;
}

/** Updates a column of locked conversations, and writes the history of those that had another value. */
export async function updateConversationField(
  tx: Database,
  changeId: number,
  ids: readonly string[],
  field: 'status' | 'assignee_id',
  value: string | null,
): Promise<void> {
  const column = sql.identifier([field]);
  const differs = sql.fragment`${isOneOf(ids)} and ${column} is distinct from ${value}`;
  await tx.query(sql.unsafe`
    with old as materialized (
      select id, ${column} as before from conversations where ${differs}
    ), updated as (
      update conversations set ${assign(field, sql.fragment`${value}`)} where ${differs}
    )
    insert into conversation_history (change_id, conversation_id, field, before, after)
    select ${changeId}, id, ${field}, before, ${value} from old order by id
  `);
}

/** Marks the unread messages of locked conversations as read, and writes which ones. */
export async function markConversationsRead(
  tx: Database,
  changeId: number,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql.unsafe`
    with message as (
      update conversation_messages set status = 'read'
      where conversation_id = any(${sql.array([...ids], 'text')}) and sender_type = 'visitor' and status = 'sent'
      returning conversation_id, id
    )
    insert into conversation_history (change_id, conversation_id, field, before, after, messages)
    select ${changeId}, conversation_id, 'read', 'sent', 'read', array_agg(id order by id)
    from message
    group by conversation_id
    order by conversation_id
  `);
}

/** Returns how many conversations a change has changed. */
export async function countConversationsOfChange(tx: Database, changeId: number): Promise<number> {
  return await tx.oneFirst(sql.type(countRow)`
    select count(distinct conversation_id) from conversation_history where change_id = ${changeId}
  `);
}

/** Returns the first ids of the conversations that a change has changed. */
export async function selectConversationsOfChange(
  tx: Database,
  changeId: number,
  limit: number,
): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(idRow)`
    select distinct conversation_id as id from conversation_history
    where change_id = ${changeId} order by 1 limit ${limit}
  `);
}
