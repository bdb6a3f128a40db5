import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import type { IssueRow } from './issues.tsx';

/** What issues are sorted by, in the order that the key goes through them. */
export const sortColumns = ['created', 'severity', 'status', 'category', 'title', 'id'] as const;

export interface Sort {
  readonly column: (typeof sortColumns)[number];
  readonly isReversed: boolean;
}

const severityRank: ReadonlyMap<string, number> = new Map(severities.map((severity, rank) => [severity, rank]));
const statusRank: ReadonlyMap<string, number> = new Map(issueStatuses.map((status, rank) => [status, rank]));
const unknown = 99;

/** Plain comparisons: a collator takes ten times as long for a hundred thousand titles. */
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

/** What a column is compared by: the worst and the unsettled first, the newest first. */
const valueOf: Readonly<Record<Sort['column'], (row: IssueRow) => string | number>> = {
  created: ({ created }) => -created,
  severity: ({ severity }) => severityRank.get(severity) ?? unknown,
  status: ({ status }) => statusRank.get(status) ?? unknown,
  category: ({ category }) => category.toLowerCase(),
  title: ({ title }) => title.toLowerCase(),
  id: ({ id }) => -id,
};

/** Rows in another order; equal ones stay as they were. */
export function arrangeIssues(rows: readonly IssueRow[], { column, isReversed }: Sort): readonly IssueRow[] {
  const keyed = rows.map((row) => ({ row, value: valueOf[column](row) }));
  keyed.sort((one, other) => (isReversed ? compare(other.value, one.value) : compare(one.value, other.value)));
  return keyed.map(({ row }) => row);
}
