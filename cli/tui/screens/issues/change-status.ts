import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import type { App } from '../../state/app.ts';
import { statusPaint } from '../../theme.ts';
import { type IssueChanges, nameOfIssues } from './change-issues.ts';
import type { IssueRow } from './row.ts';

/** Asks for a status and sets it on the selected issues, or on the current one. */
export function askStatus(app: App, changes: IssueChanges, current: IssueRow): void {
  const rows = changes.targets(current);
  const [first] = rows;
  if (first === undefined) return;
  app.open(
    choiceDialog(app, {
      title: `Status of ${nameOfIssues(rows)}`,
      options: issueStatuses,
      current: rows.every(({ status }) => status === first.status) ? first.status : '',
      paint: statusPaint,
      onChoose(chosen) {
        const status = chosen as IssueRow['status'];
        return changes.start(rows, {
          set: { status },
          expected: { status: first.status },
          order: (issues) => `Set ${issues} to ${status}`,
          progress: (issues) => `Setting ${issues} to ${status}`,
          result: `now ${status}`,
          apply: (row) => ({ ...row, status }),
        });
      },
    }),
  );
}
