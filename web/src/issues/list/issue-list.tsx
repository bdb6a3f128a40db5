import { ConnectLink } from '../../parts/connect-link.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Note } from '../../parts/note.tsx';
import { DataGridSkeleton } from '../../parts/table/data-grid/data-grid-skeleton.tsx';
import { DataGrid, type Selection } from '../../parts/table/data-grid.tsx';
import { issuePatches } from '../issue-queries.ts';
import type { IssueFilter } from '../issue-search.ts';
import { issueColumns } from './issue-columns.tsx';
import { useIssues } from './use-issues.ts';

interface IssueListProps {
  readonly filter: IssueFilter;
  readonly total: number | undefined;
  /** The issue in the drawer. */
  readonly current: number | undefined;
  readonly selection: Selection<number>;
  readonly onOpen: (id: number) => void;
  readonly onSort: (sort: string) => void;
  readonly onClearFilter: () => void;
}

/** The issues that the filter finds, loaded as one scrolls. */
export function IssueList(props: IssueListProps) {
  const { filter, total, current, selection, onOpen, onSort, onClearFilter } = props;
  const { list, issues, loadMore } = useIssues(filter);
  const patch = issuePatches.usePatch();
  if (list.isPending) return <DataGridSkeleton columns={issueColumns} isSelectable />;
  if (list.isError && issues.length === 0)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (issues.length === 0) return <NoIssues filter={filter} onClearFilter={onClearFilter} />;
  return (
    <DataGrid
      label="Issues"
      listKey={JSON.stringify(filter)}
      columns={issueColumns}
      rows={issues}
      patch={patch}
      total={total}
      current={current}
      onOpen={({ id }) => onOpen(id)}
      onNearEnd={loadMore}
      selection={selection}
      sort={filter.sort ?? '-created_at'}
      onSort={onSort}
    />
  );
}

function NoIssues({ filter, onClearFilter }: Pick<IssueListProps, 'filter' | 'onClearFilter'>) {
  const { sort: _sort, assignee, ...conditions } = filter;
  const isFiltered = Object.values(conditions).some((value) => value !== undefined);
  if (assignee === 'me' && !isFiltered)
    return (
      <Note title="No issue is assigned to you" action={{ label: 'Show all issues', run: onClearFilter }}>
        Open an issue and choose “Assign to me”.
      </Note>
    );
  if (!isFiltered && assignee === undefined)
    return (
      <Note title="No issues yet">
        Press c to report the first one. <ConnectLink />
      </Note>
    );
  return <Note title="No issue matches" action={{ label: 'Clear the filters', run: onClearFilter }} />;
}
