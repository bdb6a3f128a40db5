import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Entries, Entry, EntryNote } from '../../parts/entries.tsx';
import { Failure } from '../../parts/failure.tsx';
import { MoreButton } from '../../parts/table/more-button.tsx';
import { tellError } from '../../parts/tell.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { type HistoryEntry, type Issue, issueHistoryQuery } from '../issue-queries.ts';
import type { IssueChange } from '../issue-updates.ts';
import { useChangeIssue } from '../use-change-issues.ts';
import { HistoryChange } from './history-change.tsx';

/** The interfaces, as a person calls them. */
const doorNames: Readonly<Record<string, string>> = {
  http: 'web or API',
  cli: 'command line',
  tui: 'terminal',
  mcp: 'agent',
  job: 'service',
};

/** Who changed what of an issue, newest first. */
export function IssueHistory({ issue }: { readonly issue: Issue }) {
  const list = useInfiniteQuery(issueHistoryQuery(issue.id));
  if (list.isError && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <EntryNote>Loading the history…</EntryNote>;
  const entries = list.data.pages.flatMap((page) => page.history);
  const changes = [...Map.groupBy(entries, ({ change_id }) => change_id).values()];
  return (
    <Entries>
      {changes.map((fields) => (
        <li key={fields[0]?.change_id}>
          <Change issue={issue} fields={fields} />
        </li>
      ))}
      {list.hasNextPage ? (
        <li>
          <MoreButton list={list}>Show earlier changes</MoreButton>
        </li>
      ) : (
        <li>
          <EntryNote>
            Reported <Moment at={issue.created_at} />
          </EntryNote>
        </li>
      )}
    </Entries>
  );
}

interface ChangeProps {
  readonly issue: Issue;
  /** The fields that it changed. */
  readonly fields: readonly HistoryEntry[];
}

/** One change, which can be undone for this issue as long as it is the last one of its fields. */
function Change({ issue, fields }: ChangeProps) {
  const change = useChangeIssue(issue.id);
  const [first] = fields;
  if (first === undefined) return null;
  const undo = () =>
    change.mutate(
      { set: valuesOf(fields, 'before'), expected: valuesOf(fields, 'after') },
      { onError: tellError },
    );
  return (
    <Entry
      author={first.actor}
      at={first.at}
      note={doorNames[first.door] ?? first.door}
      actions={
        fields.every((entry) => isCurrent(issue, entry)) && (
          <Button size="compact-xs" variant="default" loading={change.isPending} onClick={undo}>
            Undo
          </Button>
        )
      }
    >
      {fields.map((entry) => (
        <HistoryChange key={entry.field} entry={entry} />
      ))}
    </Entry>
  );
}

/** Reports whether a field still has the value that a change gave it. */
function isCurrent(issue: Issue, { field, after }: HistoryEntry): boolean {
  if (field === 'assignee_id') return (issue.assignee?.id ?? null) === after;
  return issue[field as keyof Issue] === after;
}

function valuesOf(fields: readonly HistoryEntry[], side: 'before' | 'after'): IssueChange {
  return Object.fromEntries(fields.map((entry) => [entry.field, entry[side]]));
}
