import { messageErrors } from '../../contract/operations/messages.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import { selectThread, threadTables } from '../../db/tables/conversations/message-threads.ts';
import { lockDraft, updateMessageDraft } from '../../db/tables/conversations/messages.ts';
import { refuse } from '../call/refuse.ts';
import { findShort } from '../call/short-list.ts';
import { checkExpectedDraft, draftChanged, sendDraft, sendMessage } from '../messages/send.ts';
import { endOfList, nextPage } from '../streaming/list-answer.ts';
import { JsonPieces, StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

export const messageHandlers = {
  'messages.list': async (context, { conversation_id, ...page }) =>
    new StreamedJson(
      async (write, { onNext }) => {
        const { conversation, messages, issues, next } = await findShort(context, page.q, (db) =>
          selectThread(db, conversation_id, page),
        );
        onNext(nextPage(next));
        const pieces = new JsonPieces(write);
        pieces.open(`{"conversation":${conversation ?? null},"messages":[`);
        if (!(await pieces.rows(messages))) return;
        pieces.open('],"issues":[');
        if (!(await pieces.rows(issues))) return;
        await pieces.close(endOfList(next));
      },
      { read: () => selectVersion(context.db, threadTables), comesWithAnswer: false },
    ),

  'messages.create': async (context, message) => {
    const { change, actor } = context;
    const id =
      message.kind === 'own'
        ? await change((tx, record) => sendMessage(tx, record, message, actor))
        : await change((tx, record) => sendDraft(tx, record, message, actor));
    return { success: true, id };
  },

  'messages.updateDraft': async ({ change }, { id, ai_draft, expected }) => {
    await change(async (tx, record) => {
      const drafted = await lockDraft(tx, id);
      checkExpectedDraft(expected, drafted);
      if (drafted === null) return;
      if (drafted.sender_type !== 'visitor') refuse(messageErrors.notOfVisitor);
      if (drafted.was_sent) refuse(messageErrors.draftIsSent);
      if (drafted.ai_draft === ai_draft) return;
      const outcome = ai_draft === null ? 'rejected' : drafted.ai_draft === null ? 'proposed' : 'edited';
      await updateMessageDraft(tx, id, ai_draft);
      record(draftChanged(id, drafted, outcome));
    });
    return { success: true };
  },
} satisfies HandlersOf<'messages'>;
