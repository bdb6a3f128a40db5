import type { App } from '../../state/app.ts';
import { type Assignee, assigneeDialog } from './assignee-dialog.ts';
import type { RowChanges } from './change-rows.ts';

/**
 * Asks who works on the selected rows, or on the current one, and assigns them.
 *
 * @param readCurrent - finds out who works on a single row now; undefined if that is not known
 */
export function askAssignee<Row>(
  app: App,
  changes: RowChanges<Row>,
  current: Row,
  readCurrent: (row: Row) => Promise<Assignee | null | undefined>,
): void {
  const rows = changes.targets(current);
  const [first] = rows;
  if (first === undefined) return;
  app.open(
    assigneeDialog(app, {
      title: `Assign ${changes.titleOf(rows)}`,
      readCurrent: async () => (rows.length === 1 ? await readCurrent(first) : undefined),
      onChoose(chosen, before) {
        const name = chosen?.username ?? 'nobody';
        return changes.start(rows, {
          set: { assignee_id: chosen?.id ?? null },
          expected: before === undefined ? undefined : { assignee_id: before?.id ?? null },
          shown: { assignee: name },
          order: (all) => `Assign ${all} to ${name}`,
          progress: (all) => `Assigning ${all} to ${name}`,
          result: `assigned to ${name}`,
        });
      },
    }),
  );
}
