import { type FragmentSqlToken, sql } from 'slonik';
import type { Included } from '../../contract/schemas/assignees.ts';
import type { VersionedTable } from '../lists/table-versions.ts';

/** Selects rows by who works on them, and what to add to them. */
export interface AssigneeFilter {
  /** Null matches rows that are not assigned. */
  readonly assignee_id?: string | null | undefined;
  readonly include?: Included | undefined;
}

/** Returns the condition that the rows have the assignee, or false if the filter does not select by it. */
export function isAssigned(
  column: FragmentSqlToken,
  { assignee_id }: AssigneeFilter,
): FragmentSqlToken | false {
  if (assignee_id === undefined) return false;
  return assignee_id === null ? sql.fragment`${column} is null` : sql.fragment`${column} = ${assignee_id}`;
}

/** Returns the tables that the included fields are read from. */
export function assigneeTables({ include }: AssigneeFilter): readonly VersionedTable[] {
  return include?.includes('assignee') === true ? ['admins'] : [];
}

/** Returns the last column of a list, with its comma, if the filter includes the assignee; otherwise nothing. */
export function assigneeColumn(column: FragmentSqlToken, { include }: AssigneeFilter): FragmentSqlToken {
  if (include?.includes('assignee') !== true) return sql.fragment``;
  return sql.fragment`,
    (
      select row_to_json(assignee)
      from (select a.id, a.email, a.username from admins a where a.id = ${column}) as assignee
    ) as assignee
  `;
}
