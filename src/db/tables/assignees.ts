import { type FragmentSqlToken, sql } from 'slonik';
import type { Included } from '../../contract/schemas/assignees.ts';
import { type ChangedNoun, changeTables } from '../changes/change-tables.ts';
import type { Database } from '../connection/database.ts';
import type { ListColumns } from '../lists/list-query.ts';
import type { VersionedTable } from '../lists/table-versions.ts';
import { affectsRow } from './statements.ts';

/** Selects rows by who works on them, and what to add to them. */
export interface AssigneeFilter {
  /** Null matches rows that are not assigned. */
  readonly assignee_id?: string | null | undefined;
  readonly include?: Included | undefined;
}

/** Returns the tables that the included fields are read from. */
export function assigneeTables({ include }: AssigneeFilter): readonly VersionedTable[] {
  return include?.includes('assignee') === true ? ['admins'] : [];
}

/** Returns the last column of a list if the filter includes the assignee; otherwise none. */
export function assigneeColumn(column: FragmentSqlToken, { include }: AssigneeFilter): ListColumns {
  if (include?.includes('assignee') !== true) return {};
  return {
    assignee: {
      json: sql.fragment`(
        select row_to_json(assignee)
        from (select a.id, a.email, a.username from admins a where a.id = ${column}) as assignee
      )`,
    },
  };
}

/** Reports whether there is an active admin with the id. */
export async function isActiveAdmin(db: Database, id: string): Promise<boolean> {
  return await db.exists(sql.unsafe`select from admins where id = ${id} and is_active = 1`);
}

/**
 * Reports whether there is an active admin with the id, and keeps it from being deleted until the transaction ends. Call
 * it before any row is locked that may be assigned: the deletion of an admin locks the admin first.
 */
export async function lockAssignee(tx: Database, id: string): Promise<boolean> {
  return await affectsRow(tx)`select from admins where id = ${id} and is_active = 1 for key share`;
}

/** Keeps the admins from being deleted that an undo assigns rows to. Call it before any of the rows is locked. */
export async function lockAssigneesOfChange(tx: Database, changeId: number, noun: ChangedNoun) {
  await tx.query(sql.unsafe`
    with locked as materialized (
      select id from admins
      where id in (select before from ${changeTables[noun].history} where change_id = ${changeId} and field = 'assignee_id')
      order by id
      for key share of admins
    )
    select count(*) from locked
  `);
}

/** Returns the condition that a field of a row can have its value of before again: a deleted admin cannot. */
export function canHaveAgain(field: string, before: FragmentSqlToken): FragmentSqlToken {
  if (field !== 'assignee_id') return sql.fragment`true`;
  return sql.fragment`(${before} is null or exists (select from admins where admins.id = ${before}))`;
}
