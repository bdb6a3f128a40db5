import type { ThreadMessage } from '../../../access/pages.ts';
import { printable } from '../../../terminal/text.ts';
import type { App } from '../../app/app.ts';
import { callingOnce } from '../../app/calling-once.ts';
import type { Part } from '../../app/types.ts';
import { openForm } from '../../dialogs/form.ts';
import { rowAction } from '../../list/list-screen.ts';
import type { Rows } from '../../list/rows.ts';
import type { Conversation } from './rows.ts';
import { lastFailed, readMessages, waitingDrafts } from './rows.ts';
import type { Thread } from './thread.ts';

/** Sends, edits and rejects drafts of replies, and sends failed mails again. */
export function drafting(
  app: App,
  rows: Rows<Conversation>,
  thread: Pick<Thread, 'messagesOf' | 'changed'>,
): Part {
  const on = rowAction(app, rows);
  const done = (sentence: string, isSent = false) => {
    app.say(sentence);
    thread.changed(isSent);
  };
  /** Does something with the messages of a conversation, which are loaded first unless they are shown. */
  const withMessages = ({ id }: Conversation, use: (messages: readonly ThreadMessage[]) => unknown) => {
    const shown = thread.messagesOf(id);
    return shown === undefined
      ? app.openAfter(async () => (await readMessages(app, id)).messages, use)
      : use(shown);
  };
  /** Does something with the oldest draft that waits. */
  const withDraft = (row: Conversation, use: (message: ThreadMessage, draft: string) => unknown) =>
    withMessages(row, (messages) => {
      const [message] = waitingDrafts(messages);
      if (message === undefined) return app.say('No draft is waiting here.', 'note');
      return use(message, message.ai_draft ?? '');
    });

  const approve = (row: Conversation) =>
    withDraft(row, ({ id }, ai_draft) =>
      app.confirm(`Send this to ${row.visitor_name}?\n\n${ai_draft}`, async () => {
        await app.call('messages.create', { approve: id, expected: { ai_draft } });
        done(`Sent the draft to ${row.visitor_name}.`, true);
      }),
    );
  const reject = (row: Conversation) =>
    withDraft(row, ({ id }, ai_draft) =>
      app.confirm(`Reject this draft to ${row.visitor_name}?\n\n${ai_draft}`, async () => {
        await app.call('messages.updateDraft', { id, ai_draft: null, expected: { ai_draft } });
        done('Rejected the draft.');
      }),
    );
  const revise = (row: Conversation) =>
    withDraft(row, ({ id }, draft) => {
      const send = callingOnce(app, 'messages.create', 'sent');
      openForm(app, {
        name: `draft on message ${id}`,
        title: `Draft to ${printable(row.visitor_name)}`,
        verb: 'send',
        fields: [{ name: 'content', label: 'Reply', kind: 'text' }],
        initial: { content: draft },
        async reread() {
          const { messages } = await readMessages(app, row.id);
          return { content: messages.find((message) => message.id === id)?.ai_draft ?? '' };
        },
        save: ({ content = '' }, _changed, seen) =>
          send({ approve: id, content, expected: { ai_draft: seen.content ?? '' } }),
        saved: () => done(`Sent to ${row.visitor_name}.`, true),
      });
    });
  const resend = (row: Conversation) =>
    withMessages(row, async (messages) => {
      const failed = lastFailed(messages);
      if (failed === undefined) return app.say('No e-mail has failed here.', 'note');
      await app.call('messages.retry', { id: failed.id });
      done(`Sending the e-mail to ${row.visitor_name} again.`);
    });
  return {
    actions: [
      on('conversations.approve', 'a', { title: 'Send the draft', calls: 'messages.create' }, approve),
      on(
        'conversations.revise',
        'e',
        { title: 'Edit the draft, then send it', calls: 'messages.create' },
        revise,
      ),
      on('conversations.reject', 'x', { title: 'Reject the draft', calls: 'messages.updateDraft' }, reject),
      on(
        'conversations.resend',
        'f',
        { title: 'Send the e-mail again that failed', calls: 'messages.retry' },
        resend,
      ),
    ],
  };
}
