import { choiceDialog } from '../../dialogs/choice.tsx';
import type { App } from '../../state/app.ts';
import { statusPaint } from '../../theme.ts';
import type { RowChanges } from './change-rows.ts';

/** Asks for a status and sets it on the selected rows, or on the current one. */
export function askStatus<Row extends { readonly status: string }>(
  app: App,
  changes: RowChanges<Row>,
  current: Row,
  statuses: readonly Row['status'][],
): void {
  const rows = changes.targets(current);
  const [first] = rows;
  if (first === undefined) return;
  app.open(
    choiceDialog(app, {
      title: `Status of ${changes.titleOf(rows)}`,
      options: statuses,
      current: rows.every(({ status }) => status === first.status) ? first.status : '',
      paint: statusPaint,
      onChoose: (status) =>
        changes.start(rows, {
          set: { status },
          expected: { status: first.status },
          shown: { status },
          order: (all) => `Set ${all} to ${status}`,
          progress: (all) => `Setting ${all} to ${status}`,
          result: `now ${status}`,
          apply: (row) => ({ ...row, status }),
        }),
    }),
  );
}
