import type { InputOf } from '../../../../src/contract/registry.ts';
import type { App } from '../../state/app.ts';
import type { Assignee } from '../rows/assignee-dialog.ts';
import type { RowKind } from '../rows/row-change.ts';
import type { IssueRow } from './row.ts';

type IssueUpdate = InputOf<'issues.update'>;

export const issueKind: RowKind<IssueRow, number> = {
  noun: 'issue',
  operation: 'issues.update',
  undo: 'issues.undo',
  keyOf: ({ id }) => id,
  nameOf: ({ id }) => `#${id}`,
  titleOf: ({ id, title }) => `#${id} ${title}`,
  send: (call, ids, { set, expected }) =>
    call('issues.update', {
      ids: [...ids],
      set,
      ...(expected === undefined ? {} : { expected }),
    } as IssueUpdate),
};

/** Returns who works on an issue now, which its row does not say; undefined if the issue no longer exists. */
export async function readAssignee(app: App, id: number): Promise<Assignee | null | undefined> {
  const found = await app.call('issues.list', { id, limit: 1, include: 'assignee' });
  const [issue] = 'issues' in found ? found.issues : [];
  return issue === undefined ? undefined : (issue.assignee ?? null);
}
