import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { undoLatest } from '../parts/changes/latest-undo.ts';
import { counted } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import { issueTotalQuery } from './issue-queries.ts';
import { filterOf, type IssueSearch, listOnly } from './issue-search.ts';
import styles from './issues-page.module.css';
import { IssueFilters } from './list/issue-filters.tsx';
import { IssueList } from './list/issue-list.tsx';
import { IssueViews } from './list/issue-views.tsx';
import { MissedIssues } from './list/missed-issues.tsx';

/* Loaded on demand: the list is usable without them. */
const IssueDrawer = lazy(async () => ({ default: (await import('./drawer/issue-drawer.tsx')).IssueDrawer }));
const ReportIssue = lazy(async () => ({ default: (await import('./report-issue.tsx')).ReportIssue }));
const SelectedIssues = lazy(async () => ({
  default: (await import('./bulk/selected-issues.tsx')).SelectedIssues,
}));

const route = getRouteApi('/signed-in/issues');
const nothing: ReadonlySet<number> = new Set();

/** Lists the issues, changes them in bulk, and shows one of them in a drawer. */
export function IssuesPage() {
  const search = route.useSearch();
  const filter = filterOf(search);
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState(nothing);
  const [isAll, setIsAll] = useState(false);
  const { data: total } = useQuery(issueTotalQuery(filter));

  /** Goes to another address. What leads back is kept, unless it is a step of the same. */
  function go(part: Partial<IssueSearch>, replace = false): void {
    void navigate({ search: (before) => ({ ...before, ...part }), replace });
  }

  function clearSelection(): void {
    setSelected(nothing);
    setIsAll(false);
  }

  function setFilter(part: Partial<IssueSearch>): void {
    clearSelection();
    go(part, true);
  }

  const report = () => go({ ...listOnly, report: 'true' });
  useShortcuts('Issues', [
    { keys: 'c', title: 'Report an issue', run: report },
    { keys: 'z', title: 'Undo the last change', run: undoLatest, inDialogs: true },
    { keys: 'j', title: 'Next row' },
    { keys: 'k', title: 'Previous row' },
    { keys: 'x', title: 'Select a row' },
    { keys: 'Shift+X', title: 'Select up to a row' },
    { keys: 'Enter', title: 'Open a row' },
  ]);

  return (
    <Page
      title="Issues"
      action={<Button onClick={report}>Report</Button>}
      bar={
        <>
          <IssueViews onChoose={clearSelection} />
          <MissedIssues />
          <div className={styles.filters}>
            <IssueFilters search={search} onChange={setFilter} />
            <span className={styles.count} aria-live="polite">
              {total === undefined ? '' : counted(total, 'issue')}
            </span>
          </div>
        </>
      }
    >
      <IssueList
        filter={filter}
        total={total}
        current={search.issue}
        selection={{ ids: selected, set: setSelected }}
        onOpen={(issue) => go({ issue })}
        onSort={(sort) => setFilter({ sort: sort as IssueSearch['sort'] })}
        onClearFilter={() => void navigate({ search: {} })}
      />
      <Suspense>
        {(selected.size > 0 || isAll) && (
          <SelectedIssues
            ids={selected}
            filter={filter}
            total={total}
            isAll={isAll}
            onSelectAll={() => setIsAll(true)}
            onClear={clearSelection}
          />
        )}
      </Suspense>
      <Suspense>
        <IssueDrawer id={search.issue} filter={filter} />
      </Suspense>
      <Suspense>
        {search.report && (
          <ReportIssue
            onReported={(issue) => go({ ...listOnly, issue }, true)}
            onClose={() => go(listOnly, true)}
          />
        )}
      </Suspense>
    </Page>
  );
}
