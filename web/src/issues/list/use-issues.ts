import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useLoadMore } from '../../parts/table/use-load-more.ts';
import { type IssuePage, issuesQuery, type ListedIssue } from '../issue-queries.ts';
import type { IssueFilter } from '../issue-search.ts';

const noIssues: readonly ListedIssue[] = [];

/** Returns the loaded issues of a filter, and what loads more of them. */
export function useIssues(filter: IssueFilter) {
  const list = useInfiniteQuery({ ...issuesQuery(filter), select: allIssues });
  const loadMore = useLoadMore(list);
  return { list, issues: list.data ?? noIssues, loadMore };
}

function allIssues({ pages }: InfiniteData<IssuePage>): readonly ListedIssue[] {
  return pages.flatMap(({ issues }) => issues);
}
