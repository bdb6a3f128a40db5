import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { commandKey } from '../app/commands/command-key.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { undoLatest } from '../parts/changes/latest-undo.ts';
import { Count, Page } from '../parts/page/page.tsx';
import { issueTotalQuery } from './issue-queries.ts';
import { filterOf, type IssueSearch, listOnly } from './issue-search.ts';
import styles from './issues-page.module.css';
import { IssueFilters } from './list/issue-filters.tsx';
import { IssueList } from './list/issue-list.tsx';
import { IssueViews } from './list/issue-views.tsx';
import { MissedIssues } from './list/missed-issues.tsx';

/* Loaded on demand: the list is usable without them. */
const IssueDrawer = lazyPart(() => import('./drawer/issue-drawer.tsx'), 'IssueDrawer');
const ReportIssue = lazyPart(() => import('./report-issue.tsx'), 'ReportIssue');
const SelectedIssues = lazyPart(() => import('./bulk/selected-issues.tsx'), 'SelectedIssues');

const route = getRouteApi('/signed-in/issues');
const nothing: ReadonlySet<number> = new Set();
/** The list handles its keys itself once it has the focus. */
const focusList = () => document.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });

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

  function select(ids: ReadonlySet<number>): void {
    setSelected(ids);
    setIsAll(false);
  }

  function selectAll(isOn: boolean): void {
    setSelected(nothing);
    setIsAll(isOn);
  }

  const clearSelection = () => selectAll(false);

  function setFilter(part: Partial<IssueSearch>): void {
    clearSelection();
    go(part, true);
  }

  const report = () => go({ ...listOnly, report: 'true' });
  useShortcuts('Issues', [
    { keys: 'c', title: 'Report an issue', run: report },
    { keys: 'z', title: 'Undo the last change', run: undoLatest, inDialogs: true },
    { keys: 'j', title: 'Next row', run: focusList },
    { keys: 'k', title: 'Previous row', run: focusList },
    { keys: 'x', title: 'Select a row' },
    { keys: 'Shift+X', title: 'Select up to a row' },
    { keys: `${commandKey} A`, title: 'Select all rows' },
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
            <Count count={total} noun="issue" className={styles.count} />
          </div>
        </>
      }
    >
      <IssueList
        filter={filter}
        total={total}
        current={search.issue}
        selection={{ ids: selected, isAll, set: select, setAll: selectAll }}
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
            onSelectAll={() => selectAll(true)}
            onClear={() => {
              clearSelection();
              // The button that was pressed goes away.
              focusList();
            }}
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
