import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { type Column, DataGrid } from '../parts/data-grid.tsx';
import { Failure } from '../parts/failure.tsx';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { Note } from '../parts/note.tsx';
import { counted } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import { IssueFilters } from './issue-filters.tsx';
import {
  type Issue,
  issuePatches,
  issuesQuery,
  issueTotalQuery,
  newIssuesQuery,
  reloadIssues,
} from './issue-queries.ts';
import type { IssueSearch } from './issue-search.ts';
import styles from './issues-page.module.css';

const IssueDrawer = lazy(async () => ({ default: (await import('./issue-drawer.tsx')).IssueDrawer }));
const SelectedIssues = lazy(async () => ({
  default: (await import('./selected-issues.tsx')).SelectedIssues,
}));

const route = getRouteApi('/signed-in/issues');
const nothing: ReadonlySet<number> = new Set();

const columns: readonly Column<Issue>[] = [
  {
    title: 'No.',
    width: '72px',
    phone: 'hidden',
    cell: ({ id }) => <span className={styles.number}>{id}</span>,
  },
  {
    title: 'Title',
    width: 'minmax(180px, 1fr)',
    phone: 'title',
    cell: ({ title }) => <span className={styles.title}>{title}</span>,
  },
  {
    title: 'Severity',
    width: '100px',
    phone: 'start',
    sort: 'severity',
    cell: ({ severity }) => <Mark word={severity} />,
  },
  { title: 'Status', width: '110px', phone: 'end', cell: ({ status }) => <Mark word={status} /> },
  { title: 'Category', width: '130px', phone: 'hidden', cell: ({ category }) => category },
  { title: 'Assignee', width: '120px', phone: 'hidden', cell: ({ assignee }) => assignee?.username ?? '' },
  {
    title: 'Reported',
    width: '160px',
    phone: 'hidden',
    sort: 'created_at',
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
];

/** Lists the issues, changes them in bulk, and shows one of them in a drawer. */
export function IssuesPage() {
  const { issue, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState(nothing);
  const [isAll, setIsAll] = useState(false);
  const list = useInfiniteQuery(issuesQuery(filter));
  const { data: total } = useQuery(issueTotalQuery(filter));
  const patches = issuePatches.use();
  const issues = useMemo(
    () =>
      (list.data?.pages ?? []).flatMap((page) =>
        page.issues.map((row) => ({ ...row, ...patches.get(row.id) })),
      ),
    [list.data, patches],
  );

  function clearSelection(): void {
    setSelected(nothing);
    setIsAll(false);
  }

  function setFilter(part: Partial<IssueSearch>): void {
    clearSelection();
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  }

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  return (
    <Page
      title="Issues"
      bar={
        <>
          <IssueFilters search={filter} onChange={setFilter} />
          <span className={styles.count} aria-live="polite">
            {total === undefined ? '' : counted(total, 'issue')}
          </span>
          <NewIssues />
        </>
      }
    >
      {list.isError && issues.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && issues.length === 0 && (
        <Note
          title="No issue matches"
          action={{ label: 'Clear the filters', run: () => void navigate({ search: {} }) }}
        />
      )}
      {issues.length > 0 && (
        <DataGrid
          label="Issues"
          columns={columns}
          rows={issues}
          total={total}
          onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, issue: id }) })}
          onNearEnd={loadMore}
          selection={{ ids: selected, set: (ids) => setSelected(ids as ReadonlySet<number>) }}
          sort={filter.sort ?? '-created_at'}
          onSort={(sort) => setFilter({ sort: sort as IssueSearch['sort'] })}
        />
      )}
      {(selected.size > 0 || isAll) && (
        <Suspense>
          <SelectedIssues
            ids={selected}
            filter={filter}
            total={total}
            isAll={isAll}
            onSelectAll={() => setIsAll(true)}
            onClear={clearSelection}
          />
        </Suspense>
      )}
      <Suspense>
        <IssueDrawer
          id={issue}
          onClose={() => void navigate({ search: (before) => ({ ...before, issue: undefined }) })}
        />
      </Suspense>
    </Page>
  );
}

/** Says how many issues were reported since the list was loaded. They join it on demand, so that nothing jumps. */
function NewIssues() {
  const { data: count } = useQuery(newIssuesQuery);
  if (count === 0) return null;
  return (
    <Button size="compact-sm" variant="light" onClick={reloadIssues}>
      {count} new
    </Button>
  );
}
