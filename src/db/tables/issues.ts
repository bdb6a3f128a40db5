import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { issueSchema } from '../../contract/schemas/issues.ts';
import { issueSorts } from '../../contract/sorts.ts';
import type { IssueStatus } from '../../contract/vocabulary.ts';
import { issueTotal } from '../analytics/issue-total.ts';
import type { Author } from '../changes/changes.ts';
import { editOf } from '../changes/edit.ts';
import type { Database } from '../connection/database.ts';
import { between, equals, equalsText, type ListFilter, type TimeBounds } from '../lists/list-filters.ts';
import { rememberQueries } from '../lists/list-memo.ts';
import {
  type ListColumns,
  type ListQuery,
  type Ordering,
  orderBy,
  plainColumns,
  shownColumns,
} from '../lists/list-query.ts';
import { type Search, type SearchedTexts, searchIndexed } from '../lists/search.ts';
import { type AssigneeFilter, assigneeColumn, assigneeTables } from './assignees.ts';

const statisticsRow = z.object({ statistics: z.string() });
const idRow = z.object({ id: z.int() });
const statusBefore = z.object({ before: z.string() });
const lockedIssue = issueSchema.omit({ assignee: true }).extend({ assignee_id: z.string().nullable() });

/** Selects issues. An absent field matches all. */
export interface IssueFilter extends Ordering<typeof issueSorts, number>, AssigneeFilter {
  /** Null matches none. */
  readonly id?: number | null | undefined;
  readonly status?: readonly IssueStatus[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly category?: string | undefined;
  /** Words in the number, the title, the description or the steps. */
  readonly q?: string | undefined;
  /** Bounds of `created_at`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const issueColumns: ListColumns = {
  ...plainColumns(['id', 'title', 'category', 'severity', 'description', 'steps_to_reproduce', 'status']),
  created_at: { time: sql.fragment`created_at` },
  updated_at: { time: sql.fragment`updated_at` },
};

/** Maintained by triggers of the table. */
export const issueTexts: SearchedTexts = {
  table: sql.fragment`issue_search`,
  id: sql.fragment`issue_search.issue_id`,
  text: sql.fragment`issue_search.text`,
};

/** Returns the search of a filter, or undefined if it has none. */
export const issueSearch = ({ q }: IssueFilter) => searchIndexed(q, issueTexts, sql.fragment`issues.id`);

/** Returns the conditions that select the issues of a filter; false stands for a field that is not set. */
export function issueConditions(
  filter: IssueFilter,
  search = issueSearch(filter),
): (FragmentSqlToken | false)[] {
  return conditionsOf(filter, search, issueFilters(filter), issueTimes(filter));
}

const severityRank = sql.fragment`issue_severity_rank(severity)`;

function issueFilters({ status, severity, category, assignee_id }: IssueFilter): readonly ListFilter[] {
  return [
    ...equals(sql.fragment`status`, status),
    ...[...equalsText(sql.fragment`severity`, severity), ...equalsText(sql.fragment`category`, category)].map(
      (filter) => ({ ...filter, unsortedBy: severityRank }),
    ),
    ...equals(sql.fragment`issues.assignee_id`, assignee_id),
  ];
}

const issueTimes = (filter: IssueFilter) => between(sql.fragment`issues.created_at`, filter);

const conditionsOf = (
  { id }: IssueFilter,
  search: Search | undefined,
  filters: readonly ListFilter[],
  times: TimeBounds,
): (FragmentSqlToken | false)[] => [
  id !== undefined && sql.fragment`id = ${id}::bigint`,
  ...filters.map(({ condition }) => condition),
  search?.condition ?? false,
  ...times.conditions,
];

/** Lists issues as contract 4.1 says, newest first unless the filter sorts otherwise. */
export const issueList = rememberQueries((filter: IssueFilter): ListQuery => {
  const search = issueSearch(filter);
  const filters = issueFilters(filter);
  const times = issueTimes(filter);
  const conditions = conditionsOf(filter, search, filters, times);
  return {
    columns: { ...issueColumns, ...assigneeColumn(sql.fragment`issues.assignee_id`, filter) },
    source: sql.fragment`from issues`,
    tables: ['issues', ...assigneeTables(filter)],
    conditions,
    filters,
    times,
    search,
    order: orderBy(
      issueSorts,
      {
        created_at: sql.fragment`issues.created_at`,
        updated_at: sql.fragment`issues.updated_at`,
        severity: severityRank,
      },
      filter,
    ),
    id: sql.fragment`id`,
    maxTextBytes: sql.fragment`greatest(octet_length(title), octet_length(description), octet_length(steps_to_reproduce))`,
    totals: totalOf(filter, conditions),
  };
});

/** Counts the issues from the counters if they have the filter. Returns undefined if the issues must be counted. */
function totalOf(
  { status, severity, category }: IssueFilter,
  conditions: ListQuery['conditions'],
): QuerySqlToken | undefined {
  const filters = conditions.filter((condition) => condition !== false);
  if (filters.length === 0) return issueTotal('status');
  if (filters.length > 1) return undefined;
  if (status !== undefined) return issueTotal('status', status);
  if (severity !== undefined) return issueTotal('severity', severity);
  return category === undefined ? undefined : issueTotal('category', [category]);
}

/** Returns the aggregate of contract 4.1 as JSON text, which the database makes from its counters. */
export async function selectIssueStatistics(db: Database, period: string): Promise<string> {
  return await db.oneFirst(sql.type(statisticsRow)`select issue_statistics(${period}) as statistics`);
}

export interface NewIssue {
  readonly title: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
  readonly steps_to_reproduce: string;
}

/** Inserts issues with the default status. Returns their ids, in the order of the issues. */
export async function insertIssues(tx: Database, issues: readonly NewIssue[]): Promise<readonly number[]> {
  const texts = (of: (issue: NewIssue) => string) => sql.array(issues.map(of), 'text');
  return await tx.anyFirst(sql.type(idRow)`
    with given as materialized (
      select nextval('issues_id_seq') as id, given.*
      from unnest(
        ${texts(({ title }) => title)}, ${texts(({ category }) => category)}, ${texts(({ severity }) => severity)},
        ${texts(({ description }) => description)}, ${texts((issue) => issue.steps_to_reproduce)}
      ) with ordinality as given (title, category, severity, description, steps_to_reproduce, place)
    ), inserted as (
      insert into issues (id, title, category, severity, description, steps_to_reproduce)
      select id, title, category, severity, description, steps_to_reproduce from given
      returning id
    )
    select id from inserted join given using (id) order by place
  `);
}

/** Returns the issue with the id, or null, and locks it until the transaction ends. */
export async function lockIssue(
  tx: Database,
  id: number | null,
): Promise<z.infer<typeof lockedIssue> | null> {
  return await tx.maybeOne(sql.type(lockedIssue)`
    select ${shownColumns(issueColumns)}, assignee_id from issues where id = ${id}::bigint for update
  `);
}

/**
 * Updates the status of an issue. If it was another one, writes that to the history of the issue.
 *
 * @returns the status before if it was another one, else null
 */
export async function updateIssueStatus(
  tx: Database,
  id: number | null,
  status: IssueStatus,
  author: Author,
): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(statusBefore)`
    with locked as (select id, status from issues where id = ${id}::bigint for update),
    updated as (
      update issues set status = ${status}, updated_at = now()
      from locked where issues.id = locked.id
      returning issues.id, locked.status as before
    ),
    changed as (select id, before from updated where before <> ${status}),
    ${editOf('issues', author, { field: 'status', after: status })}
    select before from changed
  `);
}
