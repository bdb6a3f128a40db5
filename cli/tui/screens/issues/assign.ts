import type { App } from '../../state/app.ts';
import { type Assignee, assigneeDialog } from '../assignees.ts';
import { type IssueChanges, nameOfIssues } from './change-issues.ts';
import type { IssueRow } from './row.ts';

/** Asks who works on the selected issues, or on the current one, and assigns them. */
export function askIssueAssignee(app: App, changes: IssueChanges, current: IssueRow): void {
  const rows = changes.targets(current);
  const [first] = rows;
  if (first === undefined) return;
  app.open(
    assigneeDialog(app, {
      title: `Assign ${nameOfIssues(rows)}`,
      readCurrent: async () => (rows.length === 1 ? await readAssignee(app, first.id) : undefined),
      onChoose: (chosen, before) =>
        changes.start(rows, {
          set: { assignee_id: chosen?.id ?? null },
          expected: before === undefined ? undefined : { assignee_id: before?.id ?? null },
          order: (issues) => `Assign ${issues} to ${nameOf(chosen)}`,
          progress: (issues) => `Assigning ${issues} to ${nameOf(chosen)}`,
          result: `assigned to ${nameOf(chosen)}`,
          apply: (row) => row,
        }),
    }),
  );
}

const nameOf = (assignee: Assignee | null) => assignee?.username ?? 'nobody';

/** Returns who works on an issue now, which its row does not say; undefined if the issue no longer exists. */
async function readAssignee(app: App, id: number): Promise<Assignee | null | undefined> {
  const found = await app.call('issues.list', { id, limit: 1, include: 'assignee' });
  const [issue] = 'issues' in found ? found.issues : [];
  return issue === undefined ? undefined : (issue.assignee ?? null);
}
