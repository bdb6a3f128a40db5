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
  countRestored,
  lockRowsOfChange,
  restoreField,
  restoreUnreadMessages,
} from '../../db/changes/undo.ts';
import { selectRowsOfChange } from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import type { ChangedRow } from '../../db/outbox/record-changes.ts';
import { lockAssigneesOfChange } from '../../db/tables/assignees.ts';
import { keepLabelsOfChange } from '../../db/tables/labels.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';
import { authorOf, isAuthor, rowsOf, subjectOf } from './record.ts';

/** Puts back what a change set, wherever nobody has changed it since. */
export async function undoChange(tx: Database, record: RecordChange, id: number | null, actor: Actor) {
  const change = await lockChange(tx, id);
  if (id === null || change === null) refuse(undoErrors.unknown);
  checkMayUndo(change, actor);
  const undoId = await insertChange(tx, { noun: change.noun, author: authorOf(actor), undoes: id });
  await lockAssigneesOfChange(tx, id, change.noun);
  await keepLabelsOfChange(tx, id, change.noun);
  // Each field by one statement for all its rows.
  for (const field of await lockRowsOfChange(tx, change.noun, id)) {
    if (field === 'read') await restoreUnreadMessages(tx, id, undoId);
    else await restoreField(tx, change.noun, id, undoId, field);
  }
  const { restored, left } = await countRestored(tx, change.noun, id, undoId);
  if (restored === 0) {
    await deleteChange(tx, undoId);
    return { success: true, restored, left, change_id: null } as const;
  }
  await addToChange(tx, undoId, restored);
  const ids = await selectRowsOfChange(tx, change.noun, undoId, maxEventIds);
  const after = { change_id: undoId, ...rowsOf(ids, restored), undoes: id };
  record({ event: `${change.noun}.updated`, id: subjectOf(ids, restored), after } as ChangedRow);
  return { success: true, restored, left, change_id: undoId } as const;
}

function checkMayUndo(change: LockedChange, actor: Actor): void {
  if (actor.role === 'superadmin') return;
  if (!isAuthor(change, actor)) refuse(undoErrors.notOwn);
  if (!change.is_recent) refuse(undoErrors.tooLate);
}
