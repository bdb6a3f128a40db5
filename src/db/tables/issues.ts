import { type FragmentSqlToken, sql } from 'slonik';
import { issues } from '../../contract/fields/issues.ts';
import { issueTotal } from '../analytics/issue-counters.ts';
import type { Database } from '../connection/database.ts';
import type { SearchedTexts } from '../lists/search.ts';
import { listOf, type RowFilter } from '../nouns/list.ts';
import { insertRowsOf } from '../nouns/rows.ts';
import { numberRow, textRow } from './statements.ts';

export type IssueFilter = RowFilter<typeof issues>;

/** Maintained by triggers of the table. */
export const issueTexts: SearchedTexts = {
  table: sql.fragment`issue_search`,
  id: sql.fragment`issue_search.issue_id`,
  text: sql.fragment`issue_search.text`,
};

/** Lists issues as contract 4.1 says, newest first unless the filter sorts otherwise. */
export const issueList = listOf(issues, {
  texts: issueTexts,
  ranks: { severity: sql.fragment`issue_severity_rank(severity)` },
  totals: totalOf,
});

/** Counts the issues from the counters if they have the filter. Returns undefined if the issues must be counted. */
function totalOf({ status, severity, category }: IssueFilter, conditions: readonly FragmentSqlToken[]) {
  if (conditions.length === 0) return issueTotal('status');
  if (conditions.length > 1) return undefined;
  if (status !== undefined) return issueTotal('status', status);
  if (severity !== undefined) return issueTotal('severity', severity);
  return category === undefined ? undefined : issueTotal('category', [category]);
}

/** Returns the aggregate of contract 4.1 as JSON text, which the database makes from its counters. */
export async function selectIssueStatistics(db: Database, period: string): Promise<string> {
  return await db.oneFirst(sql.type(textRow)`select issue_statistics(${period}) as statistics`);
}

/** Inserts issues with the default status. Returns their ids, in the order of the issues. */
export const insertIssues = insertRowsOf(issues);

/** Finds issues by their ids and locks them for their deletion, in the order of their ids. */
export async function lockIssuesToDelete(tx: Database, ids: readonly number[]): Promise<readonly number[]> {
  return await tx.anyFirst(sql.type(numberRow)`
    select id from issues where id = any(${sql.array([...ids], 'int8')}) order by id for update
  `);
}

/** Deletes issues. Triggers delete what belongs to them. */
export async function deleteIssueRows(tx: Database, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`delete from issues where id = any(${sql.array([...ids], 'int8')})`);
}
