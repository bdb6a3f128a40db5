import type { EventData } from '../../contract/events/envelope.ts';
import { messageErrors } from '../../contract/operations/messages.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import { selectConversationStatus } from '../../db/tables/conversations/conversations.ts';
import { selectThread, threadTables } from '../../db/tables/conversations/message-threads.ts';
import {
  type DraftedMessage,
  insertMessage,
  lockDraft,
  type NewMessage,
  updateMessageDraft,
} from '../../db/tables/conversations/messages.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { Context } from '../context.ts';
import type { Mail } from '../mail/mail.ts';
import { queueReply, retryReply } from '../mail/replies.ts';
import { endOfList, findShort, nextPage } from '../streaming/list-answer.ts';
import { JsonPieces, StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

export const messageHandlers = {
  'messages.list': async (context, { conversation_id, ...page }) =>
    new StreamedJson(
      async (write, { onNext }) => {
        const { conversation, messages, issues, next } = await findShort(context, page.q, (db) =>
          selectThread(db, conversation_id, page),
        );
        onNext?.(nextPage(next));
        const pieces = new JsonPieces(write);
        pieces.open(`{"conversation":${conversation ?? null},"messages":[`);
        if (!(await pieces.rows(messages))) return;
        pieces.open('],"issues":[');
        if (!(await pieces.rows(issues))) return;
        await pieces.close(endOfList(next));
      },
      { read: () => selectVersion(context.db, threadTables(page)), comesWithAnswer: false },
    ),

  'messages.create': async (context, message) => {
    const id =
      message.kind === 'own'
        ? await context.change((tx, record) => sendMessage(context, tx, record, message))
        : await context.change((tx, record) => sendDraft(context, tx, record, message));
    return { success: true, id };
  },

  'messages.updateDraft': ({ change }, { id, ai_draft, expected }) =>
    change(async (tx, record) => {
      const drafted = await lockDraft(tx, id);
      checkExpectedDraft(expected, drafted);
      if (drafted === null) return;
      if (drafted.sender_type !== 'visitor') refuse(messageErrors.notOfVisitor);
      if (drafted.was_sent) refuse(messageErrors.draftIsSent);
      if (drafted.ai_draft === ai_draft) return;
      const outcome = ai_draft === null ? 'rejected' : drafted.ai_draft === null ? 'proposed' : 'edited';
      await updateMessageDraft(tx, id, ai_draft);
      record(draftChanged(id, drafted, outcome));
    }),

  'messages.retry': ({ change, mail }, { id }) => change((tx, record) => retryReply(mail, tx, record, id)),
} satisfies HandlersOf<'messages'>;

/** The input of one of the two forms of a request. */
type Form<Kind> = Extract<ParsedInputOf<'messages.create'>, { kind: Kind }>;

/** Adds a message that is not a draft. Resolves with its id. */
export async function sendMessage(
  { actor, mail }: Pick<Context, 'actor' | 'mail'>,
  tx: Database,
  record: RecordChange,
  { conversation_id, sender_type, content }: Form<'own'>,
): Promise<number> {
  const sent_by = sender_type === 'admin' ? actor.name : null;
  const message = { conversation_id, sender_type, content, sent_by, from_draft_of: null };
  const added = (await addMessage(mail, tx, record, message)) ?? refuse(messageErrors.unknownConversation);
  if (sender_type === 'visitor') {
    // A trigger reopens the conversation, so that plain SQL does too. This code only records that.
    const before = { status: added.status_before };
    const status = await selectConversationStatus(tx, conversation_id);
    if (status !== null && status !== before.status) {
      record({ event: 'conversation.updated', id: conversation_id, before, after: { status } });
    }
  }
  return added.id;
}

/** Sends the draft of a visitor's message as a reply. Resolves with the id of the reply. */
async function sendDraft(
  { actor, mail }: Context,
  tx: Database,
  record: RecordChange,
  { message_id, conversation_id, content, expected }: Form<'approval'>,
): Promise<number> {
  const drafted = await lockDraft(tx, message_id);
  checkExpectedDraft(expected, drafted);
  if (drafted === null || (conversation_id ?? drafted.conversation_id) !== drafted.conversation_id) {
    refuse(messageErrors.unknownMessage);
  }
  if (drafted.was_sent) refuse(messageErrors.draftWasSent);
  if (drafted.sender_type !== 'visitor' || drafted.ai_draft === null) refuse(messageErrors.noDraft);
  await updateMessageDraft(tx, message_id, null);
  record(draftChanged(message_id, drafted, 'sent'));
  const reply = await addMessage(mail, tx, record, {
    conversation_id: drafted.conversation_id,
    sender_type: 'admin',
    content: content ?? drafted.ai_draft,
    sent_by: actor.name,
    from_draft_of: message_id,
  });
  return reply?.id ?? refuse(messageErrors.unknownMessage);
}

/** Adds a message, and queues the mail of a reply. Resolves with null if the conversation does not exist. */
async function addMessage(mail: Mail, tx: Database, record: RecordChange, message: NewMessage) {
  const { conversation_id, sender_type, from_draft_of } = message;
  const origin = from_draft_of === null ? {} : { from_draft_of };
  const added = await insertMessage(tx, message);
  if (added === null) return null;
  const after = { conversation_id, sender_type, status: 'sent', ...origin };
  record({ event: 'message.created', id: added.id, after });
  if (sender_type === 'admin') await queueReply(mail, tx, { message_id: added.id, conversation_id });
  return added;
}

/** Returns the record of what happened to a draft, never its text. */
function draftChanged(
  id: number | null,
  { conversation_id, sender_type, status }: DraftedMessage,
  draft: EventData<'message.updated'>['draft'],
) {
  const before = { conversation_id, sender_type, status };
  return { event: 'message.updated', id, before, after: { ...before, draft } } as const;
}

/** Rejects a change of a draft that is no longer what its caller saw. */
function checkExpectedDraft(
  expected: { readonly ai_draft?: string | null | undefined } | undefined,
  drafted: DraftedMessage | null,
): void {
  const sawDraft = expected?.ai_draft !== undefined && expected.ai_draft !== null;
  if (sawDraft && drafted?.was_sent) refuse(messageErrors.expectedWasSent);
  checkExpected('message', expected, drafted);
}
