import { type FragmentSqlToken, sql } from 'slonik';
import { type ChangedNoun, changeTables } from './change-tables.ts';

/**
 * Returns the condition that no later change has set the field of an entry `h` of a history. Later changes that were undone
 * do not count, and neither do their undos: so changes can be undone one after another, the last one first.
 */
export function untouchedSince(noun: ChangedNoun): FragmentSqlToken {
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
