import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { counted } from '../../../output/number.ts';
import type { App } from '../../app.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { createForm, type Form } from '../../dialogs/form.tsx';
import type { ActionId } from '../../keys/actions.ts';
import { keyHints } from '../../keys/key-hints.ts';
import { statusPaint } from '../../theme.ts';
import { issueReports } from '../issues/form.ts';
import { type ThreadMessage, type ThreadPane, waitingDrafts } from './thread.ts';
import type { Conversation } from './view.tsx';

export interface ConversationActionOptions {
  /** Does something to the conversation that is meant, or says that there is none. */
  readonly withChosen: (work: (conversation: Conversation) => void) => void;
  readonly changed: () => Promise<void>;
  readonly gone: (id: string) => void;
}

/** What one can do to a conversation, in its list and while reading it. */
export function conversationActions(
  app: App,
  thread: ThreadPane,
  { withChosen, changed, gone }: ConversationActionOptions,
) {
  /** Replies that are being written, by their conversation or draft: each is kept until it is sent. */
  const editors = new Map<string, { readonly form: Form; readonly name: string }>();
  const reports = issueReports(app, changed);

  const editor = (
    key: string,
    title: string,
    name: string,
    send: (content: string) => Promise<void>,
  ): Form => {
    const known = editors.get(key);
    if (known !== undefined) return known.form;
    const ways = keyHints(app, ['editor.submit', 'sends'], ['everywhere.back', 'keeps it for later']).join(
      ', ',
    );
    const form = createForm(app, {
      title: () => title,
      verb: 'send',
      fields: [{ name: 'content', label: '', kind: 'lines', note: `Write… ${ways}` }],
      async send({ content = '' }) {
        await send(content);
        editors.delete(key);
        return async () => {
          await changed();
          thread.toLast();
        };
      },
    });
    editors.set(key, { form, name });
    return form;
  };
  const reply = ({ id, visitor_name }: Conversation) =>
    app.open(
      editor(id, `Reply to ${visitor_name}`, visitor_name, async (content) => {
        await app.call('messages.create', { conversation_id: id, content });
        app.say(`Sent to ${visitor_name}.`);
      }),
    );
  /** The draft that waits longest, of the conversation that is shown. */
  const withDraft = async ({ id }: Conversation, work: (message: ThreadMessage, draft: string) => void) => {
    const layer = app.layer();
    // Right after a jump to a conversation, its messages are not known yet.
    if (thread.store.get().phase === 'loading') await thread.refresh();
    if (app.layer() !== layer) return;
    const { id: shown, messages, phase, error } = thread.store.get();
    if (phase === 'failed') return app.say(error, 'failed');
    const [message] = shown === id ? waitingDrafts(messages) : [];
    if (message === undefined || message.ai_draft === null) return app.say('No draft waits here.', 'note');
    work(message, message.ai_draft);
  };
  const revise = (conversation: Conversation) =>
    withDraft(conversation, (message, draft) => {
      const key = `draft ${message.id}`;
      const isNew = !editors.has(key);
      const form = editor(
        key,
        `Draft to ${conversation.visitor_name}`,
        conversation.visitor_name,
        async (content) => {
          await app.call('messages.create', { approve: message.id, content });
          app.say(`Sent to ${conversation.visitor_name}.`);
        },
      );
      if (isNew) form.fill({ content: draft });
      app.open(form);
    });
  const report = ({ id, subject, visitor_name }: Conversation) =>
    reports.open({ source: { conversation_id: id }, title: subject || `From ${visitor_name}` });
  const read = (conversation: Conversation) =>
    app.attempt(async () => {
      const { id: shown, messages } = thread.store.get();
      // Only what was seen: a message that arrives meanwhile stays unread.
      const last = shown === conversation.id ? messages.at(-1)?.id : undefined;
      const { read: number } = await app.call('conversations.read', {
        id: conversation.id,
        ...(last === undefined ? {} : { up_to: last }),
      });
      app.say(number === 0 ? 'There was nothing unread.' : `Marked ${counted(number, 'message')} as read.`);
      await changed();
    });
  const changeStatus = ({ id, visitor_name, status }: Conversation) =>
    app.open(
      choiceDialog(app, {
        title: `Status of the conversation with ${visitor_name}`,
        options: conversationStatuses,
        current: status,
        paint: statusPaint,
        async take(chosenStatus) {
          await app.call('conversations.changeStatus', { id, status: chosenStatus });
          app.say(`The conversation with ${visitor_name} is ${chosenStatus}.`);
          await changed();
        },
      }),
    );

  const actions: Partial<Record<ActionId, (conversation: Conversation) => void>> = {
    'talk.reply': reply,
    'talk.revise': revise,
    'talk.issue': report,
    'talk.read': (conversation) => void read(conversation),
    'talk.status': changeStatus,
    'talk.approve': (conversation) =>
      withDraft(conversation, (message) =>
        app.confirm(`Send the draft to ${conversation.visitor_name} as it is?`, async () => {
          await app.call('messages.create', { approve: message.id });
          app.say(`Sent the draft to ${conversation.visitor_name}.`);
          await changed();
        }),
      ),
    'talk.reject': (conversation) =>
      withDraft(conversation, (message) =>
        app.confirm(`Reject the draft to ${conversation.visitor_name}?`, async () => {
          await app.call('messages.updateDraft', { id: message.id, ai_draft: null });
          app.say('Rejected the draft.');
          await changed();
        }),
      ),
    'talk.delete': ({ id, visitor_name, subject }) =>
      app.confirm(
        `Delete the conversation with ${visitor_name}, “${subject || 'no subject'}”, and all its messages?`,
        async () => {
          await app.call('conversations.delete', { id });
          app.say(`Deleted the conversation with ${visitor_name}.`);
          gone(id);
          await changed();
        },
      ),
  };
  return {
    /** Says whether the action was one of these. */
    perform(action: ActionId): boolean {
      const work = actions[action];
      if (work === undefined) return false;
      withChosen(work);
      return true;
    },
    unsent: (): string[] => [
      ...[...editors.values()]
        .filter(({ form }) => form.hasContent())
        .map(({ name }) => `The reply to ${name} is not sent.`),
      ...reports.unsent(),
    ],
  };
}
