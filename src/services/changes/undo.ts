import { undoErrors } from '../../contract/operations/changes.ts';
import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import type { ChangedNoun } from '../../db/changes/change-tables.ts';
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
  const { restored, left } = await restoreRows(tx, change.noun, id, undoId);
  if (restored === 0) {
    await deleteChange(tx, undoId);
    return { success: true, restored, left, change_id: null } as const;
  }
  await addToChange(tx, undoId, restored);
  record(await eventOf(tx, change.noun, { change_id: undoId, undoes: id }, restored));
  return { success: true, restored, left, change_id: undoId } as const;
}

function checkMayUndo(change: LockedChange, actor: Actor): void {
  if (actor.role === 'superadmin') return;
  if (!isAuthor(change, actor)) refuse(undoErrors.notOwn);
  if (!change.is_recent) refuse(undoErrors.tooLate);
}

/** Puts back each field that the change set, by one statement for all its rows. */
async function restoreRows(tx: Database, noun: ChangedNoun, undoes: number, undoId: number) {
  for (const field of await lockRowsOfChange(tx, noun, undoes)) {
    if (field === 'read') await restoreUnreadMessages(tx, undoes, undoId);
    else await restoreField(tx, noun, undoes, undoId, field);
  }
  return await countRestored(tx, noun, undoes, undoId);
}

/** Returns the event of an undo that has put rows back. */
async function eventOf(
  tx: Database,
  noun: ChangedNoun,
  { change_id, undoes }: { readonly change_id: number; readonly undoes: number },
  restored: number,
): Promise<ChangedRow> {
  const ids = await selectRowsOfChange(tx, noun, change_id, maxEventIds);
  const after = { change_id, ...rowsOf(ids, restored), undoes };
  return { event: `${noun}.updated`, id: subjectOf(ids, restored), after } as ChangedRow;
}
