import { Drawer, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { Facts } from '../parts/facts.tsx';
import { Failure } from '../parts/failure.tsx';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { Note } from '../parts/note.tsx';
import { useChangeIssues } from './change-issues.tsx';
import { type Issue, issuePatches, issueQuery } from './issue-queries.ts';
import styles from './issues-page.module.css';

interface IssueDrawerProps {
  /** The issue of the page's address. */
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** Shows one issue beside the list. */
export function IssueDrawer({ id, onClose }: IssueDrawerProps) {
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title={id && `Issue ${id}`}
    >
      {id !== undefined && <Content id={id} />}
    </Drawer>
  );
}

function Content({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery(issueQuery(id));
  const patch = issuePatches.use().get(id);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  if (data === null) return <Note title="There is no such issue">It may have been deleted.</Note>;
  return <Details issue={{ ...data, ...patch }} />;
}

function Details({ issue }: { readonly issue: Issue }) {
  const change = useChangeIssues();
  const apply = (set: Parameters<typeof change.mutate>[0]['set']) =>
    change.mutate({ target: { ids: [issue.id] }, set });
  const known: readonly string[] = severities;
  return (
    <article className={styles.details}>
      <h2 className={styles.issueTitle}>{issue.title}</h2>
      <div className={styles.fields}>
        <Select
          label="Status"
          data={issueStatuses}
          value={issue.status}
          allowDeselect={false}
          renderOption={({ option }) => <Mark word={option.value} />}
          onChange={(status) => status && apply({ status: status as Issue['status'] })}
        />
        <Select
          label="Severity"
          data={known.includes(issue.severity) ? known : [issue.severity, ...known]}
          value={issue.severity}
          allowDeselect={false}
          renderOption={({ option }) => <Mark word={option.value} />}
          onChange={(severity) => severity && apply({ severity })}
        />
      </div>
      <Facts
        facts={[
          ['Category', issue.category],
          ['Assignee', issue.assignee?.email ?? 'Nobody'],
          ['Reported', <Moment key="created" at={issue.created_at} />],
          ['Changed', <Moment key="updated" at={issue.updated_at} />],
        ]}
      />
      <h3 className={styles.heading}>Description</h3>
      <p className={styles.text}>{issue.description}</p>
      {issue.steps_to_reproduce !== '' && (
        <>
          <h3 className={styles.heading}>Steps to reproduce</h3>
          <p className={styles.text}>{issue.steps_to_reproduce}</p>
        </>
      )}
    </article>
  );
}
