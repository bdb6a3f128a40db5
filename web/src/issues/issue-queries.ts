import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/client.ts';
import { queryClient, reloadSoon } from '../app/query-client.ts';
import { createRowPatches } from '../app/row-patches.ts';
import type { IssueFilter } from './issue-search.ts';

export type IssuePage = Extract<OutputOf<'issues.list'>, { issues: unknown }>;
export type Issue = IssuePage['issues'][number];

const pageSize = 500;

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
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One issue; null if there is none with that id. */
export function issueQuery(id: number) {
  return queryOptions({
    queryKey: ['issues', 'one', id],
    queryFn: async ({ signal }) => {
      const page = await client.call('issues.list', { id, include: 'assignee', limit: 1 }, signal);
      return (page as IssuePage).issues[0] ?? null;
    },
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
export const issuePatches = createRowPatches<number, Issue>();

/** How many issues were reported since the lists were loaded. */
export const newIssuesQuery = queryOptions({
  queryKey: ['issues', 'new'],
  queryFn: () => 0,
  initialData: 0,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Loads everything of issues again, with the new ones. */
export function reloadIssues(): void {
  queryClient.setQueryData(newIssuesQuery.queryKey, 0);
  issuePatches.clear();
  void queryClient.resetQueries({ queryKey: ['issues', 'list'] });
  for (const part of ['one', 'total', 'statistics', 'trend'])
    void queryClient.invalidateQueries({ queryKey: ['issues', part] });
}

/** Brings what is shown of issues up to date. */
export function receiveIssueEvent(event: EventOrGap): void {
  if (!event.type.startsWith('issue')) return;
  if (event.type === 'issue.created')
    queryClient.setQueryData(newIssuesQuery.queryKey, (count = 0) => count + 1);
  if (event.type === 'issue.updated')
    issuePatches.add([[Number(event.subject_id), event.data as Partial<Issue>]]);
  if (event.type === 'issues.updated') {
    const set = event.data.set as Partial<Issue>;
    issuePatches.add(event.data.ids.map((id) => [id, set] as const));
  }
  for (const part of ['total', 'statistics', 'trend']) reloadSoon(['issues', part]);
}
