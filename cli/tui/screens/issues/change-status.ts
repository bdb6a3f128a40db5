import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { counted } from '../../../output/number.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { statusPaint } from '../../theme.ts';
import type { IssueRow } from './row.ts';
import type { IssuesState } from './view.tsx';

export interface StatusChangeOptions {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  readonly onChanged: () => Promise<void>;
}

/** Returns a function that asks for a status and sets it on the selected issues, or on the current one. */
export function statusChange(app: App, { store, list, onChanged }: StatusChangeOptions) {
  const setStatus = async (rows: readonly IssueRow[], status: IssueRow['status']) => {
    const done = new Set<number>();
    try {
      for (const { id, status: seen } of rows) {
        await app.call('issues.changeStatus', { id, status, expected: { status: seen } });
        done.add(id);
      }
    } catch (error) {
      // The issues that were not changed stay selected, so that the user can try again on what they are now.
      void list.refresh();
      const sentence = `Changed ${done.size} of ${rows.length} issues. ${app.explain(error)}`;
      throw new Error(sentence, { cause: error });
    } finally {
      list.updateRows((row) => (done.has(row.id) ? { ...row, status } : row));
      store.set({ selected: new Set([...store.get().selected].filter((id) => !done.has(id))) });
    }
    const subject = rows.length === 1 ? `#${rows[0]?.id} is` : `${counted(rows.length, 'issue')} are`;
    app.showMessage(`${subject} now ${status}.`);
    await onChanged();
  };
  return (current: IssueRow) => {
    const { selected } = store.get();
    const rows = selected.size === 0 ? [current] : list.store.get().rows.filter(({ id }) => selected.has(id));
    const [first] = rows;
    if (first === undefined) {
      app.showMessage('The selected issues are not in this list.', 'note');
      return;
    }
    const name = rows.length === 1 ? `#${first.id} ${first.title}` : counted(rows.length, 'issue');
    const commonStatus = rows.every(({ status }) => status === first.status) ? first.status : '';
    app.open(
      choiceDialog(app, {
        title: `Status of ${name}`,
        options: issueStatuses,
        current: commonStatus,
        paint: statusPaint,
        onChoose: (status) => setStatus(rows, status as IssueRow['status']),
      }),
    );
  };
}
