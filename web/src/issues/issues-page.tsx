import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { issueFilter, listOnly, unresolved } from '../app/addresses/searches.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { Table } from '../kit/table.tsx';
import { Views } from '../kit/views.tsx';
import { ConnectLink } from '../parts/note.tsx';
import { drawerPlace, Page } from '../parts/page.tsx';
import { undoLatest } from '../parts/tell.tsx';
import { useIssueActions } from './issue-actions.tsx';
import { issues } from './issue-resource.ts';

/* Loaded on demand: the list is usable without them. */
const IssueDrawer = lazyPart(() => import('./issue-drawer.tsx'), 'IssueDrawer', drawerPlace);
const ReportIssue = lazyPart(() => import('./report-issue.tsx'), 'ReportIssue');
const BulkBar = lazyPart(() => import('../kit/bulk.tsx'), 'BulkBar');

const route = getRouteApi('/signed-in/issues');
const views = [
  { title: 'Unresolved', filter: unresolved },
  { title: 'All', filter: {} },
  { title: 'Assigned to me', filter: { assignee: 'me' } },
  { title: 'Unassigned', filter: { assignee: 'none' } },
] as const;

/** Lists the issues, changes them in bulk, and shows one of them beside the list. */
export function IssuesPage() {
  const search = route.useSearch();
  const list = useList(issues, issueFilter(search));
  const actions = useIssueActions();
  const go = useGo();
  const report = () => go({ ...listOnly, report: 'true' });
  useShortcuts('Issues', [
    { keys: 'c', title: 'Report an issue', run: report },
    { keys: 'z', title: 'Undo the last change', run: undoLatest, inDialogs: true },
  ]);
  const { isAll, ids } = list.selection;
  const isUnresolved = list.filter.status === unresolved.status;
  return (
    <Page
      title="Issues"
      action={<Button onClick={report}>Report</Button>}
      bar={
        <>
          <Views of="issues" filter={list.filter} views={views} />
          <Filters list={list} hasCsv />
        </>
      }
    >
      <Table
        // What an address opens by itself is no filter that one clears.
        list={isUnresolved ? { ...list, filter: { ...list.filter, status: undefined } } : list}
        href={({ id }) => ({ issue: id, edit: undefined })}
        current={search.issue}
        isSelectable
        actions={actions}
        nameOf={({ id }) => `issue ${id}`}
        empty={{
          title: isUnresolved ? 'No unresolved issues' : 'No issues yet',
          text: (
            <>
              Report one, or let your website do it. <ConnectLink />
            </>
          ),
        }}
      />
      {(isAll || ids.size > 0) && (
        <BulkBar
          list={list}
          remove={{ needs: 'issues.delete', lost: 'Their comments, links and history are deleted too.' }}
        />
      )}
      {search.issue !== undefined && <IssueDrawer list={list} id={search.issue} />}
      {search.report && (
        <ReportIssue
          onReported={(issue) => go({ ...listOnly, issue }, true)}
          onClose={() => go(listOnly, true)}
        />
      )}
    </Page>
  );
}
