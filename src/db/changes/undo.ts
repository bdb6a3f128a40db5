import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { canHaveAgain } from '../tables/assignees.ts';
import {
  assignmentsOfChange,
  type ChangedNoun,
  changeTables,
  columnOfText,
  textOfColumn,
} from './change-tables.ts';

const fieldRow = z.object({ field: z.string() });

/** How many rows an undo has put back, and of how many it has left something as it is. */
const undoResult = z.object({ restored: z.int(), left: z.int() });

/**
 * Locks the rows that a change has changed, in the order of their ids. Returns the names of the fields that it has
 * changed.
 */
export async function lockRowsOfChange(tx: Database, noun: ChangedNoun, changeId: number) {
  const { rows, history, rowId } = changeTables[noun];
  await tx.query(sql.unsafe`
    with locked as materialized (
      select id from ${rows}
      where id in (select ${rowId} from ${history} where change_id = ${changeId})
      order by id
      for no key update of ${rows}
    )
    select count(*) from locked
  `);
  return await tx.anyFirst(
    sql.type(fieldRow)`select distinct field from ${history} where change_id = ${changeId} order by field`,
  );
}

/**
 * Puts back one field of the locked rows of a change, wherever it still has the value that the change set and no later
 * change has set it. Writes that as the history of another change.
 */
export async function restoreField(
  tx: Database,
  noun: ChangedNoun,
  changeId: number,
  undoId: number,
  field: string,
): Promise<void> {
  const { rows, history, rowId } = changeTables[noun];
  const value = textOfColumn(field, sql.fragment`${rows}.${sql.identifier([field])}`);
  const before = columnOfText(field, sql.fragment`entry.before`);
  const assignments = assignmentsOfChange(noun, [[field, before]]);
  await tx.query(sql.unsafe`
    with entry as materialized (
      select h.${rowId} as row_id, h.before, h.after
      from ${history} h
      join ${rows} on ${rows}.id = h.${rowId}
      where h.change_id = ${changeId} and h.field = ${field} and ${value} is not distinct from h.after
        and ${canHaveAgain(field, sql.fragment`h.before`)}
        and ${untouchedSince(noun)}
    ), restored as (
      update ${rows} set ${assignments} from entry where ${rows}.id = entry.row_id
    )
    insert into ${history} (change_id, ${rowId}, field, before, after)
    select ${undoId}, row_id, ${field}, after, before from entry order by row_id
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

/** Returns how many rows an undo has put back, and of how many it has left something as it is. */
export async function countRestored(tx: Database, noun: ChangedNoun, changeId: number, undoId: number) {
  const { history, rowId } = changeTables[noun];
  const isLeft =
    noun === 'issues'
      ? sql.fragment`undo.id is null`
      : sql.fragment`undo.id is null or cardinality(undo.messages) < cardinality(entry.messages)`;
  return await tx.one(sql.type(undoResult)`
    select
      count(distinct undo.${rowId}) as restored,
      -- Of deleted rows, only the count of the change knows.
      max(change.count) - count(distinct entry.${rowId})
        + count(distinct entry.${rowId}) filter (where ${isLeft}) as left
    from changes change
    left join ${history} entry on entry.change_id = change.id
    left join ${history} undo
      on undo.change_id = ${undoId} and undo.${rowId} = entry.${rowId} and undo.field = entry.field
    where change.id = ${changeId}
  `);
}

/**
 * Returns the condition that no later change has set the field of an entry `h` of a history. Later changes that were undone
 * do not count, and neither do their undos: so changes can be undone one after another, the last one first.
 */
function untouchedSince(noun: ChangedNoun): FragmentSqlToken {
  const { history, rowId } = changeTables[noun];
  const sameField = (one: FragmentSqlToken, other: FragmentSqlToken) =>
    sql.fragment`${one}.${rowId} = ${other}.${rowId} and ${one}.field = ${other}.field`;
  const later = sql.fragment`later`;
  return sql.fragment`not exists (
    select from ${history} later
    join changes later_change on later_change.id = later.change_id
    where ${sameField(later, sql.fragment`h`)} and later.id > h.id
      and not exists (
        select from ${history} undone
        where ${sameField(sql.fragment`undone`, later)} and undone.id > h.id and undone.change_id = later_change.undoes
      )
      and not exists (
        select from ${history} undo
        join changes undo_change on undo_change.id = undo.change_id
        where ${sameField(sql.fragment`undo`, later)} and undo.id > later.id and undo_change.undoes = later.change_id
      )
  )`;
}
