import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { createRowPatches } from '../app/data/row-patches.ts';
import type { IssueFilter } from './issue-search.ts';

export type IssuePage = Extract<OutputOf<'issues.list'>, { issues: unknown }>;
export type Issue = IssuePage['issues'][number];
export type HistoryEntry = OutputOf<'issues.history'>['history'][number];
export type Link = OutputOf<'links.list'>['links'][number];

/** An issue of the list. One that was deleted since stays, so that nothing jumps. */
export type ListedIssue = Issue & { readonly isDeleted?: true };

const pageSize = 500;
const historyPerPage = 50;

/** The issues of a filter, page by page. A loaded list is never loaded again by itself: rows of it are patched. */
export function issuesQuery(filter: IssueFilter) {
  return infiniteQueryOptions({
    queryKey: ['issues', 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const input = { ...filter, include: 'assignee', limit: pageSize, cursor: pageParam } as const;
      return (await client.call('issues.list', input, signal)) as IssuePage;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing all rows that are loaded with those before would hold up the scrolling at each page.
    structuralSharing: false,
  });
}

/** One issue; null if there is none with that id. What belongs to it is below it, so that all is loaded again together. */
export function issueQuery(id: number) {
  return queryOptions({
    queryKey: ['issues', 'one', id],
    queryFn: async ({ signal }) => {
      const page = await client.call('issues.list', { id, include: 'assignee', limit: 1 }, signal);
      return (page as IssuePage).issues[0] ?? null;
    },
  });
}

/** What was changed of an issue, newest first. */
export function issueHistoryQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ['issues', 'one', id, 'history'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('issues.history', { id, limit: historyPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** The conversations and scraping errors that an issue is linked to. */
export function issueLinksQuery(id: number) {
  return queryOptions({
    queryKey: ['issues', 'one', id, 'links'],
    queryFn: async ({ signal }) => (await client.call('links.list', { issue_id: id }, signal)).links,
  });
}

/** How many issues a filter finds. */
export function issueTotalQuery(filter: IssueFilter) {
  return queryOptions({
    queryKey: ['issues', 'total', filter],
    queryFn: async ({ signal }) => {
      const page = await client.call('issues.list', { ...filter, limit: 1, count: '1' }, signal);
      return (page as IssuePage).total;
    },
  });
}

/** What is known of issues since their lists were loaded. */
export const issuePatches = createRowPatches<number, ListedIssue>();

/** What the loaded lists lack. */
interface Missed {
  /** How many issues were reported since. */
  readonly added: number;
  /** The changes of so many issues that the events did not name them all. */
  readonly changes: readonly number[];
}

export const nothingMissed: Missed = { added: 0, changes: [] };

export const missedQuery = queryOptions({
  queryKey: ['issues', 'missed'],
  queryFn: () => nothingMissed,
  initialData: nothingMissed,
  staleTime: Number.POSITIVE_INFINITY,
});
