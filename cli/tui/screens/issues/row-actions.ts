import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import type { ActionId } from '../../keys/actions.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { screenComments } from '../comments/comments.ts';
import { askAssignee } from '../rows/ask-assignee.ts';
import { askStatus } from '../rows/ask-status.ts';
import { createRowChanges } from '../rows/change-rows.ts';
import type { Selection } from '../rows/selection.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { issueEditors } from './edit-form.ts';
import { issueKind, readAssignee } from './issue-kind.ts';
import type { IssueRow } from './row.ts';
import type { IssuesState } from './state.ts';

export interface RowActionOptions {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  readonly selection: Selection<IssueRow, number>;
  /** Loads the details again, if they are shown. */
  readonly refreshDetails: () => Promise<void>;
  readonly onChanged: () => Promise<void>;
}

/** Returns the actions of the current issue and of the selected ones. */
export function issueRowActions(
  app: App,
  { store, list, selection, refreshDetails, onChanged }: RowActionOptions,
) {
  const changes = createRowChanges(app, { kind: issueKind, list, selection, onChanged });
  const comments = screenComments(app, refreshDetails);
  const editors = issueEditors(app, onChanged);
  const shownIssue = (id: number) => {
    const { detail, isOpen } = store.get();
    return isOpen && detail?.id === id ? (detail.issue ?? undefined) : undefined;
  };
  const toggleSelected = (row: IssueRow) => {
    selection.toggle(row);
    list.move(1);
  };

  const actions: Partial<Record<ActionId, (row: IssueRow) => void>> = {
    'issues.status': (row) => askStatus(app, changes, row, issueStatuses),
    'issues.assign': (row) => askAssignee(app, changes, row, ({ id }) => readAssignee(app, id)),
    'issues.edit': ({ id }) => editors.open(id, shownIssue(id)),
    'issues.external': ({ id }) => editors.open(id, shownIssue(id), true),
    'issues.comment': ({ id }) => comments.write({ issue_id: id }, `#${id}`),
    'issues.comments': ({ id }) => comments.show({ issue_id: id }, `#${id}`),
    'issues.select': toggleSelected,
    'issues.selectAll': selection.all,
    'issues.range': selection.toggleRange,
  };
  return {
    /** Performs the action. Does nothing if it is not one of these. */
    perform(action: ActionId): void {
      const work = actions[action];
      if (action === 'issues.undo') void app.attempt(changes.undo);
      else if (action === 'issues.selectAll' && store.get().selected.size > 0) selection.clear();
      else if (work !== undefined) void withSelectedRow(app, list, 'No issue selected.', work);
    },
    refreshComments: comments.refresh,
    /** Stops a change that is running. Returns false if none is. */
    stop: changes.stop,
    unfinished: changes.unfinished,
    drafts: () => [...editors.drafts(), ...comments.drafts()],
  };
}
