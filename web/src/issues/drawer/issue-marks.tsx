import { Button, Select } from '@mantine/core';
import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { useSession } from '../../app/session/session.ts';
import type { Assignee } from '../../assignees/assignee-queries.ts';
import { AssigneeSelect } from '../../assignees/assignee-select.tsx';
import { Mark } from '../../parts/mark.tsx';
import { tellError } from '../../parts/tell.ts';
import type { Issue } from '../issue-queries.ts';
import { useChangeIssue } from '../use-change-issues.ts';
import styles from './issue-drawer.module.css';

/** The status, the severity and the assignee of an issue, each changed at once. */
export function IssueMarks({ issue }: { readonly issue: Issue }) {
  const { status, severity, assignee = null } = issue;
  const { admin: me } = useSession();
  const change = useChangeIssue(issue.id);
  const apply = (...input: Parameters<typeof change.mutate>) =>
    change.mutate(input[0], { onError: tellError });
  const assign = (to: Assignee | null) =>
    apply({ set: { assignee_id: to?.id ?? null }, expected: { assignee_id: assignee?.id ?? null } });
  const known: readonly string[] = severities;
  return (
    <div className={styles.marks}>
      <Select
        label="Status"
        data={issueStatuses}
        value={status}
        allowDeselect={false}
        renderOption={({ option }) => <Mark word={option.value} />}
        onChange={(to) => to && apply({ set: { status: to as Issue['status'] }, expected: { status } })}
      />
      <Select
        label="Severity"
        data={known.includes(severity) ? known : [severity, ...known]}
        value={severity}
        allowDeselect={false}
        renderOption={({ option }) => <Mark word={option.value} />}
        onChange={(to) => to && apply({ set: { severity: to }, expected: { severity } })}
      />
      <div className={styles.assignee}>
        <AssigneeSelect assignee={assignee} onChange={assign} />
        {assignee?.id !== me.id && (
          <Button variant="default" onClick={() => assign(me)}>
            Assign to me
          </Button>
        )}
      </div>
    </div>
  );
}
