import { undoErrors } from '../../contract/operations/changes.ts';
import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import {
  addToChange,
  deleteChange,
  insertChange,
  type LockedChange,
  lockChange,
} from '../../db/changes/changes.ts';
import {
  countRestoredConversations,
  lockConversationsOfChange,
  restoreConversationField,
  restoreUnreadMessages,
} from '../../db/changes/conversation-undo.ts';
import { selectConversationsOfChange } from '../../db/changes/conversation-updates.ts';
import {
  countRestoredIssues,
  lockIssuesOfChange,
  restoreIssueField,
  selectIssuesOfChange,
} from '../../db/changes/issue-undo.ts';
import type { Database } from '../../db/connection/pool.ts';
import { lockAssigneesOfChange } from '../../db/tables/assignees.ts';
import type { Actor } from '../call/actor.ts';
import type { Touch } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';
import { authorOf, isAuthor, rowsOf, subjectOf } from './record.ts';

/** Puts back what a change set, wherever nobody has changed it since. */
export async function undoChange(tx: Database, touch: Touch, id: number | null, actor: Actor) {
  const change = await lockChange(tx, id);
  if (id === null || change === null) refuse(undoErrors.unknown);
  checkMayUndo(change, actor);
  const undoId = await insertChange(tx, { noun: change.noun, author: authorOf(actor), undoes: id });
  await lockAssigneesOfChange(tx, id, change.noun);
  const restore = change.noun === 'issues' ? restoreIssues : restoreConversations;
  const { restored, left } = await restore(tx, touch, id, undoId);
  if (restored > 0) await addToChange(tx, undoId, restored);
  else await deleteChange(tx, undoId);
  return { success: true, restored, left, change_id: restored > 0 ? undoId : null } as const;
}

function checkMayUndo(change: LockedChange, actor: Actor): void {
  if (actor.role === 'superadmin') return;
  if (!isAuthor(change, actor)) refuse(undoErrors.notOwn);
  if (!change.is_recent) refuse(undoErrors.tooLate);
}

async function restoreIssues(tx: Database, touch: Touch, undoes: number, change_id: number) {
  // Each field is one statement for all issues.
  for (const field of await lockIssuesOfChange(tx, undoes))
    await restoreIssueField(tx, undoes, change_id, field);
  const counts = await countRestoredIssues(tx, undoes, change_id);
  const { restored } = counts;
  const ids = await selectIssuesOfChange(tx, change_id, maxEventIds);
  if (restored > 0)
    touch({
      event: 'issues.updated',
      id: subjectOf(ids, restored),
      after: { change_id, ...rowsOf(ids, restored), undoes },
    });
  return counts;
}

async function restoreConversations(tx: Database, touch: Touch, undoes: number, change_id: number) {
  await lockConversationsOfChange(tx, undoes);
  await restoreConversationField(tx, undoes, change_id, 'status');
  await restoreConversationField(tx, undoes, change_id, 'assignee_id');
  await restoreUnreadMessages(tx, undoes, change_id);
  const counts = await countRestoredConversations(tx, undoes, change_id);
  const { restored } = counts;
  const ids = await selectConversationsOfChange(tx, change_id, maxEventIds);
  if (restored > 0)
    touch({
      event: 'conversations.updated',
      id: subjectOf(ids, restored),
      after: { change_id, ...rowsOf(ids, restored), undoes },
    });
  return counts;
}
