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
import type { Database } from '../../db/connection/database.ts';
import { isActiveAdmin, lockAssignee } from '../../db/tables/assignees.ts';
import { lockConversationFields } from '../../db/tables/conversations/conversations.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { requireAssignee } from './assignee.ts';
import { authorOf, rowsOf, subjectOf } from './record.ts';

type Update = ParsedInputOf<'conversations.update'>;

/** Says what a change would do. Changes nothing. */
export async function previewConversationUpdate(db: Database, { ids, set, expected }: Update) {
  await requireAssignee(set.assignee_id, (id) => isActiveAdmin(db, id));
  await checkSeen(db, ids, expected);
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
export async function updateConversations(tx: Database, record: RecordChange, update: Update, actor: Actor) {
  const { ids, set, expected } = update;
  await requireAssignee(set.assignee_id, (id) => lockAssignee(tx, id));
  const before = await checkSeen(tx, ids, expected);
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
  record({
    event: 'conversations.updated',
    id: subjectOf(changedIds, changed),
    before: before && set.status && { status: before.status },
    after: { change_id: changeId, ...rowsOf(changedIds, changed), set },
  });
  return answer(ids, existing, changed, changeId);
}

/**
 * Refuses the change if the conversation, which is then the only one, is no longer what the caller saw. Returns its fields,
 * or undefined if the caller expects nothing.
 */
async function checkSeen(db: Database, [id = '']: readonly string[], expected: Update['expected']) {
  if (expected === undefined) return undefined;
  const before = await lockConversationFields(db, id);
  checkExpected('conversation', expected, before);
  return before ?? undefined;
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
