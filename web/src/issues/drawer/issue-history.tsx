import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Failure } from '../../parts/failure.tsx';
import { tellError } from '../../parts/tell.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { type HistoryEntry, type Issue, issueHistoryQuery } from '../issue-queries.ts';
import type { IssueChange } from '../issue-updates.ts';
import { useChangeIssue } from '../use-change-issues.ts';
import { HistoryChange } from './history-change.tsx';
import styles from './issue-history.module.css';

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
  if (!list.data) return <p className={styles.meta}>Loading the history…</p>;
  const entries = list.data.pages.flatMap((page) => page.history);
  const changes = [...Map.groupBy(entries, ({ change_id }) => change_id).values()];
  return (
    <ol className={styles.history}>
      {changes.map((fields) => (
        <li key={fields[0]?.change_id}>
          <Change issue={issue} fields={fields} />
        </li>
      ))}
      {list.hasNextPage ? (
        <li>
          <Button
            size="compact-sm"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show earlier changes
          </Button>
        </li>
      ) : (
        <li className={styles.meta}>
          Reported <Moment at={issue.created_at} />
        </li>
      )}
    </ol>
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
    <article className={styles.change}>
      <p className={styles.meta}>
        <span className={styles.actor}>{first.actor}</span>
        <Moment at={first.at} />
        <span>{doorNames[first.door] ?? first.door}</span>
        {fields.every((entry) => isCurrent(issue, entry)) && (
          <Button
            size="compact-xs"
            variant="default"
            className={styles.undo ?? ''}
            loading={change.isPending}
            onClick={undo}
          >
            Undo
          </Button>
        )}
      </p>
      {fields.map((entry) => (
        <HistoryChange key={entry.field} entry={entry} />
      ))}
    </article>
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
