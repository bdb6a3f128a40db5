import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';
import { canHaveAgain } from '../tables/assignees.ts';
import { type UndoResult, undoResult } from './changes.ts';
import { assign, type ConversationColumn } from './conversation-updates.ts';

/** Locks the conversations that a change has changed, in the order of their ids. */
export async function lockConversationsOfChange(tx: Database, changeId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with locked as materialized (
      select id from conversations
      where id in (select conversation_id from conversation_history where change_id = ${changeId})
      order by id
      for no key update of conversations
    )
    select count(*) from locked
  `);
}

/**
 * Puts back a column of the locked conversations of a change, wherever it still has the value that the change set and no
 * later change has set it. Writes that as the history of another change.
 */
export async function restoreConversationField(
  tx: Database,
  changeId: number,
  undoId: number,
  field: ConversationColumn,
): Promise<void> {
  const column = sql.identifier([field]);
  await tx.query(sql.unsafe`
    with entry as materialized (
      select h.conversation_id, h.before, h.after
      from conversation_history h
      join conversations on conversations.id = h.conversation_id
      where h.change_id = ${changeId} and h.field = ${field} and conversations.${column} is not distinct from h.after
        and ${canHaveAgain(field, sql.fragment`h.before`)}
        and not exists (
          select from conversation_history later
          where later.conversation_id = h.conversation_id and later.field = h.field and later.id > h.id
        )
    ), restored as (
      update conversations set ${assign(field, sql.fragment`entry.before`)}
      from entry where conversations.id = entry.conversation_id
    )
    insert into conversation_history (change_id, conversation_id, field, before, after)
    select ${undoId}, conversation_id, ${field}, after, before from entry order by conversation_id
  `);
}

/**
 * Puts back the status of exactly those messages that a change has set, wherever it is still the same and no later change
 * has set it.
 */
export async function restoreUnreadMessages(tx: Database, changeId: number, undoId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with entry as materialized (
      select h.id as history_id, h.conversation_id, h.before, h.after, message_id
      from conversation_history h
      cross join unnest(h.messages) as message_id
      where h.change_id = ${changeId} and h.field = 'read'
    ), message as (
      update conversation_messages m set status = entry.before
      from entry
      where m.id = entry.message_id and m.conversation_id = entry.conversation_id and m.status = entry.after
        and not exists (
          select from conversation_history later
          where later.conversation_id = entry.conversation_id and later.field = 'read'
            and later.id > entry.history_id and m.id = any(later.messages)
        )
      returning m.conversation_id, m.id, entry.before, entry.after
    )
    insert into conversation_history (change_id, conversation_id, field, before, after, messages)
    select ${undoId}, conversation_id, 'read', after, before, array_agg(id order by id)
    from message
    group by conversation_id, before, after
    order by conversation_id
  `);
}

/** Returns how many conversations an undo has put back, and of how many it has left something as it is. */
export async function countRestoredConversations(
  tx: Database,
  changeId: number,
  undoId: number,
): Promise<UndoResult> {
  return await tx.one(sql.type(undoResult)`
    select
      count(distinct undo.conversation_id) as restored,
      -- Of deleted conversations, only the count of the change knows.
      max(change.count) - count(distinct entry.conversation_id)
        + count(distinct entry.conversation_id) filter (
          where undo.id is null or cardinality(undo.messages) < cardinality(entry.messages)
        ) as left
    from changes change
    left join conversation_history entry on entry.change_id = change.id
    left join conversation_history undo
      on undo.change_id = ${undoId} and undo.conversation_id = entry.conversation_id and undo.field = entry.field
    where change.id = ${changeId}
  `);
}
