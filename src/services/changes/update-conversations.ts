import type { ParsedInputOf } from '../../contract/registry.ts';
import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import { addToChange, deleteChange, insertChange } from '../../db/changes/changes.ts';
import {
  countConversationsOfChange,
  countConversationsToChange,
  lockConversations,
  markConversationsRead,
  selectConversationsOfChange,
  updateConversationField,
} from '../../db/changes/conversation-updates.ts';
import type { Database } from '../../db/connection/pool.ts';
import { isActiveAdmin, lockAssignee } from '../../db/tables/assignees.ts';
import type { Actor } from '../call/actor.ts';
import type { Touch } from '../call/changes.ts';
import { requireAssignee } from './assignee.ts';
import { authorOf, rowsOf, subjectOf } from './record.ts';

type Update = ParsedInputOf<'conversations.update'>;

/** Says what a change would do. Changes nothing. */
export async function previewConversationUpdate(db: Database, { ids, set }: Update) {
  await requireAssignee(set.assignee_id, (id) => isActiveAdmin(db, id));
  const found = await countConversationsToChange(db, ids, set);
  const differing = found.filter(({ differs }) => differs).length;
  return answer(
    ids,
    found.map(({ id }) => id),
    differing,
    null,
  );
}

/** Changes the status of conversations, assigns them or marks their messages as read, and writes their history. */
export async function updateConversations(tx: Database, touch: Touch, { ids, set }: Update, actor: Actor) {
  await requireAssignee(set.assignee_id, (id) => lockAssignee(tx, id));
  const existing = await lockConversations(tx, ids);
  if (existing.length === 0) return answer(ids, existing, 0, null);
  const changeId = await insertChange(tx, { noun: 'conversations', author: authorOf(actor) });
  for (const field of ['status', 'assignee_id'] as const) {
    const value = set[field];
    if (value !== undefined) await updateConversationField(tx, changeId, existing, field, value);
  }
  if (set.read === true) await markConversationsRead(tx, changeId, existing);
  const changed = await countConversationsOfChange(tx, changeId);
  if (changed === 0) {
    await deleteChange(tx, changeId);
    return answer(ids, existing, 0, null);
  }
  await addToChange(tx, changeId, changed);
  const changedIds = await selectConversationsOfChange(tx, changeId, maxEventIds);
  touch({
    event: 'conversations.updated',
    id: subjectOf(changedIds, changed),
    after: { change_id: changeId, ...rowsOf(changedIds, changed), set },
  });
  return answer(ids, existing, changed, changeId);
}

function answer(
  ids: readonly string[],
  existing: readonly string[],
  changed: number,
  change_id: number | null,
) {
  const known = new Set(existing);
  const unknown = [...new Set(ids)].filter((id) => !known.has(id));
  const unchanged = known.size - changed;
  return {
    success: true,
    matched: known.size,
    changed,
    unchanged,
    unknown,
    remaining: 0,
    change_id,
  } as const;
}
