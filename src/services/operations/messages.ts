import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { messageErrors } from '../../contract/operations/messages.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectConversationStatus } from '../../db/tables/conversations.ts';
import {
  type DraftedMessage,
  insertMessage,
  lockDraft,
  type NewMessage,
  selectThread,
  updateMessageDraft,
} from '../../db/tables/messages.ts';
import type { RecordedFields } from '../../db/tables/record-changes.ts';
import type { Actor } from '../call/actor.ts';
import type { Context, Touch } from '../call/context.ts';
import { JsonPieces } from '../streaming/json-pieces.ts';
import { endOfPage } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';

export async function listMessages(
  { db }: Context,
  { conversation_id, limit, cursor }: ParsedInputOf<'messages.list'>,
): Promise<StreamedJson> {
  return new StreamedJson(async (write) => {
    const { conversation, messages, issues, next } = await selectThread(db, conversation_id, limit, cursor);
    const pieces = new JsonPieces(write);
    pieces.open(`{"conversation":${conversation ?? null},"messages":[`);
    if (!(await pieces.rows(messages))) return;
    pieces.open('],"issues":[');
    if (!(await pieces.rows(issues))) return;
    await pieces.close(endOfPage(next));
  });
}

export async function createMessage(
  { change, actor }: Context,
  message: ParsedInputOf<'messages.create'>,
): Promise<OutputOf<'messages.create'>> {
  const result = await change((tx, touch) =>
    message.kind === 'own' ? sendOwn(tx, touch, message, actor) : approve(tx, touch, message, actor),
  );
  if (typeof result !== 'number') throw new BackofficeError(result);
  return { success: true, id: result };
}

/** The input of one of the two forms of a request. */
type Form<Kind> = Extract<ParsedInputOf<'messages.create'>, { kind: Kind }>;

async function sendOwn(
  tx: Database,
  touch: Touch,
  { conversation_id, sender_type, content }: Form<'own'>,
  actor: Actor,
): Promise<number | DocumentedError> {
  const sent_by = sender_type === 'admin' ? actor.name : null;
  const message = { conversation_id, sender_type, content, sent_by, from_draft_of: null };
  return (await addMessage(tx, touch, message)) ?? messageErrors.unknownConversation;
}

async function approve(
  tx: Database,
  touch: Touch,
  { message_id, conversation_id, content }: Form<'approval'>,
  actor: Actor,
): Promise<number | DocumentedError> {
  const drafted = await lockDraft(tx, message_id);
  if (drafted === null || (conversation_id ?? drafted.conversation_id) !== drafted.conversation_id) {
    return messageErrors.unknownMessage;
  }
  if (drafted.was_sent) return messageErrors.draftWasSent;
  if (drafted.sender_type !== 'visitor' || drafted.ai_draft === null) return messageErrors.noDraft;
  await updateMessageDraft(tx, message_id, null);
  touch(draftChanged(message_id, drafted, 'sent'));
  const reply = await addMessage(tx, touch, {
    conversation_id: drafted.conversation_id,
    sender_type: 'admin',
    content: content ?? drafted.ai_draft,
    sent_by: actor.name,
    from_draft_of: message_id,
  });
  return reply ?? messageErrors.unknownMessage;
}

/** Adds a message and tells what that changed. Resolves with its id, or null where there is no such conversation. */
async function addMessage(tx: Database, touch: Touch, message: NewMessage): Promise<number | null> {
  const inserted = await insertMessage(tx, message);
  if (inserted === null) return null;
  const { id, status_before } = inserted;
  const { conversation_id, sender_type, from_draft_of } = message;
  const origin = from_draft_of === null ? {} : { from_draft_of };
  touch({ event: 'message.created', id, after: { conversation_id, sender_type, status: 'sent', ...origin } });
  // The database reopens a conversation, so that plain SQL does too; here it is only told.
  const status =
    sender_type === 'visitor' ? await selectConversationStatus(tx, conversation_id) : status_before;
  if (status !== status_before) {
    touch({
      event: 'conversation.updated',
      id: conversation_id,
      before: { status: status_before },
      after: { status },
    });
  }
  return id;
}

export async function updateDraft(
  { change }: Context,
  { id, ai_draft }: ParsedInputOf<'messages.updateDraft'>,
): Promise<OutputOf<'messages.updateDraft'>> {
  const refusal = await change(async (tx, touch) => {
    const drafted = await lockDraft(tx, id);
    if (drafted === null) return;
    if (drafted.sender_type !== 'visitor') return messageErrors.notOfVisitor;
    if (drafted.was_sent) return messageErrors.draftIsSent;
    if (drafted.ai_draft === ai_draft) return;
    await updateMessageDraft(tx, id, ai_draft);
    const done = ai_draft === null ? 'rejected' : drafted.ai_draft === null ? 'proposed' : 'edited';
    touch(draftChanged(id, drafted, done));
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}

/** What became of a draft; never its text. */
function draftChanged(
  id: number | null,
  { conversation_id, sender_type, status }: DraftedMessage,
  draft: 'proposed' | 'edited' | 'rejected' | 'sent',
) {
  const before: RecordedFields = { conversation_id, sender_type, status };
  return { event: 'message.updated' as const, id, before, after: { ...before, draft } };
}
