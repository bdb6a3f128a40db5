import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { unprepared } from '../connection/statements.ts';
import { unreadMessages } from '../tables/conversations/messages.ts';
import { labelsAfter } from '../tables/labels.ts';
import {
  assignmentsOfChange,
  type ChangedNoun,
  changeTables,
  type RowId,
  textOfColumn,
} from './change-tables.ts';
import type { Author } from './changes.ts';

const idRow = z.object({ id: z.union([z.int(), z.string()]) });
const foundRow = z.object({ ...idRow.shape, differs: z.boolean() });
const countRow = z.object({ matched: z.int(), differing: z.int() });

/** What a change sets: columns, and of conversations also that their messages are read. An undefined value sets nothing. */
export interface BulkSet {
  readonly read?: true | undefined;
  /** What labels are added and removed. */
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
  readonly [column: string]: string | null | true | readonly string[] | undefined;
}

/** The conditions that select the rows of a change; false stands for one that is not set. */
export type Conditions = readonly (FragmentSqlToken | false)[];

/** A column to set, with its new value in a row. */
type SetColumn = readonly [name: string, valueIn: (row: FragmentSqlToken) => FragmentSqlToken];

/** Returns the columns to set. */
function columnsOf({ read: _, add_labels, remove_labels, ...columns }: BulkSet): readonly SetColumn[] {
  const set = Object.entries(columns).flatMap(([name, value]): SetColumn[] =>
    value === undefined ? [] : [[name, () => sql.fragment`${value as string | null}`]],
  );
  if (add_labels === undefined && remove_labels === undefined) return set;
  return [...set, ['labels', (row) => labelsAfter(sql.fragment`${row}.labels`, add_labels, remove_labels)]];
}

/** Returns the condition that a row has another value in one of the columns, or unread messages. */
function differsFrom(noun: ChangedNoun, set: BulkSet): FragmentSqlToken {
  const { rows } = changeTables[noun];
  const conditions = columnsOf(set).map(
    ([name, valueIn]) => sql.fragment`${rows}.${sql.identifier([name])} is distinct from ${valueIn(rows)}`,
  );
  const isUnread = sql.fragment`exists (select ${unreadMessages(sql.fragment`${rows}.id`)})`;
  return sql.fragment`(${sql.or(set.read ? [...conditions, isUnread] : conditions)})`;
}

/** Returns the condition that a change has not changed a row yet. A new change has changed none. */
function isLeft(noun: ChangedNoun, changeId: number | undefined): FragmentSqlToken | false {
  const { rows, history, rowId } = changeTables[noun];
  return (
    changeId !== undefined &&
    sql.fragment`not exists (
      select from ${history} where change_id = ${changeId} and ${history}.${rowId} = ${rows}.id
    )`
  );
}

const isOneOf = (noun: ChangedNoun, ids: readonly RowId[]): FragmentSqlToken =>
  sql.fragment`id = any(${sql.array([...ids], changeTables[noun].idType)})`;

/** Locks rows against other changes, in the order of their ids. */
export async function lockRows(tx: Database, noun: ChangedNoun, ids: readonly RowId[]): Promise<void> {
  await tx.query(sql.unsafe`
    with locked as materialized (
      select id from ${changeTables[noun].rows} where ${isOneOf(noun, ids)} order by id for no key update
    )
    select count(*) from locked
  `);
}

/** Finds rows by their ids, in that order, and whether they differ from what a change sets. */
export async function selectRowsToChange(
  db: Database,
  noun: ChangedNoun,
  ids: readonly RowId[],
  set: BulkSet,
): Promise<readonly z.infer<typeof foundRow>[]> {
  return await db.any(sql.type(foundRow)`
    select id, ${differsFrom(noun, set)} as differs
    from ${changeTables[noun].rows}
    where ${isOneOf(noun, ids)}
    order by id
  `);
}

/**
 * Finds the first rows that match and differ, up to a limit. Locks them in the order of their ids.
 *
 * @param changeId - leaves out the rows that this change has changed
 */
export async function lockRowsToChange(
  tx: Database,
  noun: ChangedNoun,
  conditions: Conditions,
  set: BulkSet,
  changeId: number | undefined,
  limit: number,
): Promise<readonly RowId[]> {
  return await tx.anyFirst(sql.type(idRow)`
    ${unprepared} select id from ${changeTables[noun].rows}
    where ${sql.and([...conditions, differsFrom(noun, set), isLeft(noun, changeId)])}
    order by id
    limit ${limit}
    for no key update
  `);
}

/** Returns how many rows match, and how many of them differ. */
export async function countRowsToChange(
  db: Database,
  noun: ChangedNoun,
  conditions: Conditions,
  set: BulkSet,
  changeId: number | undefined,
): Promise<z.infer<typeof countRow>> {
  return await db.one(sql.type(countRow)`
    ${unprepared} select count(*) as matched, count(*) filter (where ${differsFrom(noun, set)}) as differing
    from ${changeTables[noun].rows}
    where ${sql.and([...conditions, isLeft(noun, changeId)])}
  `);
}

/** Updates locked rows, and writes the history of each field that was different. */
export async function updateRows(
  tx: Database,
  noun: ChangedNoun,
  changeId: number,
  ids: readonly RowId[],
  set: BulkSet,
): Promise<void> {
  const columns = columnsOf(set);
  if (columns.length > 0) await updateColumns(tx, noun, changeId, ids, columns);
  if (set.read) await markConversationsRead(tx, changeId, ids);
}

async function updateColumns(
  tx: Database,
  noun: ChangedNoun,
  changeId: number,
  ids: readonly RowId[],
  columns: readonly SetColumn[],
): Promise<void> {
  const { rows, history, rowId } = changeTables[noun];
  const old = sql.fragment`old`;
  const fields = columns.map(([name, valueIn]) => {
    const before = textOfColumn(name, sql.fragment`old.${sql.identifier([name])}`);
    return sql.fragment`(${name}, ${before}, ${textOfColumn(name, valueIn(old))})`;
  });
  const assigned = columns.map(([name, valueIn]) => [name, valueIn(rows)] as const);
  const isSelected = isOneOf(noun, ids);
  await tx.query(sql.unsafe`
    ${unprepared} with old as materialized (
      select * from ${rows} where ${isSelected}
    ), updated as (
      update ${rows} set ${assignmentsOfChange(noun, assigned)} where ${isSelected}
    )
    insert into ${history} (change_id, ${rowId}, field, before, after)
    select ${changeId}, old.id, field.name, field.before, field.after
    from old
    cross join lateral (values ${sql.join(fields, sql.fragment`, `)}) as field (name, before, after)
    where field.before is distinct from field.after
    order by old.id
  `);
}

/** Marks the unread messages of locked conversations as read, and writes which ones. */
async function markConversationsRead(tx: Database, changeId: number, ids: readonly RowId[]): Promise<void> {
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

/** Returns the lowest ids of the rows that a change has changed. */
export async function selectRowsOfChange(tx: Database, noun: ChangedNoun, changeId: number, limit: number) {
  const { history, rowId } = changeTables[noun];
  return await tx.anyFirst(sql.type(idRow)`
    select distinct ${rowId} as id from ${history}
    where change_id = ${changeId} order by 1 limit ${limit}
  `);
}

const statusBefore = z.object({ before: z.string() });

/**
 * Updates the status of a row. If it was another one, writes that to the history of the row.
 *
 * @returns the status before if it was another one, else null
 */
export async function updateStatus(
  tx: Database,
  noun: ChangedNoun,
  id: RowId | null,
  status: string,
  author: Author,
): Promise<string | null> {
  const { rows, history, rowId, idType } = changeTables[noun];
  return await tx.maybeOneFirst(sql.type(statusBefore)`
    with locked as materialized (
      select id, status from ${rows} where id = ${id}::${sql.identifier([idType])} for no key update
    ), updated as (
      -- Not now(): the start of the transaction may be before a message that arrived since.
      update ${rows} set status = ${status}, updated_at = clock_timestamp()
      from locked where ${rows}.id = locked.id
      returning ${rows}.id, locked.status as before
    ), changed as (
      select id, before from updated where before <> ${status}
    ), edit as (
      insert into changes (noun, actor_kind, actor_id, actor_name, door, count)
      select ${noun}, ${author.kind}, ${author.id}, ${author.name}, ${author.door}, 1 from changed
      returning id
    ), edited_field as (
      insert into ${history} (change_id, ${rowId}, field, before, after)
      select edit.id, changed.id, 'status', changed.before, ${status} from edit, changed
    )
    select before from changed
  `);
}
