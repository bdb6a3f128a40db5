import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { IssueValues } from '../../contract/schemas/changes/issue-changes.ts';
import type { Database } from '../connection/database.ts';
import { unprepared } from '../connection/statements.ts';
import { readByMatches } from '../lists/search.ts';
import { assignmentsOf } from '../nouns/rows.ts';
import { type IssueFilter, issueConditions, issueSearch } from '../tables/issues.ts';

const idRow = z.object({ id: z.int() });
const foundIssue = z.object({ id: z.int(), differs: z.boolean() });
const countRow = z.object({ matched: z.int(), differing: z.int() });

/** Returns the columns to set, with their values. */
const valuesOf = (set: IssueValues) =>
  Object.entries(set).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, column: sql.identifier([name]), value }],
  );

/** Returns the condition that an issue has another value in one of the columns. */
const differsFrom = (set: IssueValues): FragmentSqlToken =>
  sql.fragment`(${sql.or(valuesOf(set).map(({ column, value }) => sql.fragment`issues.${column} is distinct from ${value}`))})`;

/** Returns the conditions that select the issues of a filter. A change may be of most issues. */
function conditionsOf(filter: IssueFilter): readonly (FragmentSqlToken | false)[] {
  const search = issueSearch(filter);
  return readByMatches(issueConditions(filter, search), search);
}

/** Returns the condition that a change has not changed an issue yet. A new change has changed none. */
const isLeft = (changeId: number | undefined): FragmentSqlToken | false =>
  changeId !== undefined &&
  sql.fragment`not exists (
    select from issue_history where change_id = ${changeId} and issue_history.issue_id = issues.id
  )`;

/**
 * Finds issues by their ids, and whether they differ.
 *
 * @param locks - locks them, in the order of their ids
 */
export async function selectIssuesToChange(
  db: Database,
  ids: readonly number[],
  set: IssueValues,
  locks: boolean,
): Promise<readonly z.infer<typeof foundIssue>[]> {
  return await db.any(sql.type(foundIssue)`
    select id, ${differsFrom(set)} as differs
    from issues
    where id = any(${sql.array([...ids], 'int8')})
    order by id
    ${locks ? sql.fragment`for no key update` : sql.fragment``}
  `);
}

/**
 * Finds the first issues of a filter that differ, up to a limit. Locks them in the order of their ids.
 *
 * @param changeId - leaves out the issues that this change has changed
 */
export async function lockIssuesToChange(
  tx: Database,
  filter: IssueFilter,
  set: IssueValues,
  changeId: number | undefined,
  limit: number,
): Promise<readonly number[]> {
  return await tx.anyFirst(sql.type(idRow)`
    ${unprepared} select id from issues
    where ${sql.and([...conditionsOf(filter), differsFrom(set), isLeft(changeId)])}
    order by id
    limit ${limit}
    for no key update
  `);
}

/** Returns how many issues match a filter, and how many of them differ. */
export async function countIssuesToChange(
  db: Database,
  filter: IssueFilter,
  set: IssueValues,
  changeId: number | undefined,
): Promise<z.infer<typeof countRow>> {
  return await db.one(sql.type(countRow)`
    ${unprepared} select count(*) as matched, count(*) filter (where ${differsFrom(set)}) as differing
    from issues
    where ${sql.and([...conditionsOf(filter), isLeft(changeId)])}
  `);
}

/** Updates locked issues, and writes the history of each field that was different. */
export async function updateIssueRows(
  tx: Database,
  changeId: number,
  ids: readonly number[],
  set: IssueValues,
): Promise<void> {
  const values = valuesOf(set);
  const fields = values.map(
    ({ name, column, value }) => sql.fragment`(${name}, old.${column}, ${value}::text)`,
  );
  const isSelected = sql.fragment`id = any(${sql.array([...ids], 'int8')})`;
  await tx.query(sql.unsafe`
    ${unprepared} with old as materialized (
      select * from issues where ${isSelected}
    ), updated as (
      update issues set ${sql.join(assignmentsOf(set), sql.fragment`, `)}, updated_at = now() where ${isSelected}
    )
    insert into issue_history (change_id, issue_id, field, before, after)
    select ${changeId}, old.id, field.name, field.before, field.after
    from old
    cross join lateral (values ${sql.join(fields, sql.fragment`, `)}) as field (name, before, after)
    where field.before is distinct from field.after
    order by old.id
  `);
}

/** Returns the lowest ids of the issues that a change has changed. */
export async function selectIssuesOfChange(
  tx: Database,
  changeId: number,
  limit: number,
): Promise<readonly number[]> {
  return await tx.anyFirst(sql.type(idRow)`
    select distinct issue_id as id from issue_history
    where change_id = ${changeId} order by 1 limit ${limit}
  `);
}

/** Finds issues by their ids and locks them for their deletion, in the order of their ids. */
export async function lockIssuesToDelete(tx: Database, ids: readonly number[]): Promise<readonly number[]> {
  return await tx.anyFirst(sql.type(idRow)`
    select id from issues where id = any(${sql.array([...ids], 'int8')}) order by id for update
  `);
}

/** Deletes issues. Triggers delete what belongs to them. */
export async function deleteIssueRows(tx: Database, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`delete from issues where id = any(${sql.array([...ids], 'int8')})`);
}
