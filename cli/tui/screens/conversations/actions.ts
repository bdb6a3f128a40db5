import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import type { ThreadMessage } from '../../../access/thread.ts';
import { counted } from '../../../terminal/number.ts';
import type { ActionId } from '../../keys/actions.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import { screenComments } from '../comments/comments.ts';
import { issueReports } from '../issues/form.ts';
import { askAssignee } from '../rows/ask-assignee.ts';
import { askStatus } from '../rows/ask-status.ts';
import { createRowChanges } from '../rows/change-rows.ts';
import type { RowChange } from '../rows/row-change.ts';
import type { Selection } from '../rows/selection.ts';
import { conversationKind } from './conversation-kind.ts';
import { replyEditors } from './replies.ts';
import type { ConversationRow } from './row.ts';
import { lastFailed, type ThreadPane, waitingDrafts } from './thread.ts';

/** Marks the messages of several conversations as read. */
const asRead: RowChange<ConversationRow> = {
  set: { read: true },
  shown: { read: true },
  order: (rows) => `Mark ${rows} as read`,
  progress: (rows) => `Marking ${rows} as read`,
  result: 'marked as read',
  apply: (row) => ({ ...row, unread_count: 0 }),
};

export interface ConversationActionOptions {
  readonly list: List<ConversationRow>;
  /** The conversations that are selected, unless the user reads one. */
  readonly selection: Selection<ConversationRow, string>;
  /** Does the work with the current conversation, or shows that there is none. */
  readonly withCurrent: (work: (conversation: ConversationRow) => void) => void;
  readonly onChanged: () => Promise<void>;
  readonly onDeleted: (id: string) => void;
}

/** Returns the actions of a conversation, for the list and for the thread. */
export function conversationActions(
  app: App,
  thread: ThreadPane,
  { list, selection, withCurrent, onChanged, onDeleted }: ConversationActionOptions,
) {
  const replies = replyEditors(app, async () => {
    await onChanged();
    thread.toLast();
  });
  const reports = issueReports(app, onChanged);
  const comments = screenComments(app, onChanged);
  const changes = createRowChanges(app, { kind: conversationKind, list, selection, onChanged });
  /** Returns who works on a conversation, if its thread is shown; undefined if that is not known. */
  const shownAssignee = async ({ id }: ConversationRow) => {
    const { conversation } = thread.store.get();
    return conversation?.id === id ? (conversation.assignee ?? null) : undefined;
  };

  const reply = ({ id, visitor_name }: ConversationRow, isExternal = false) =>
    replies.open(
      {
        key: id,
        title: `Reply to ${visitor_name}`,
        recipient: { id, visitor_name },
        async send(content) {
          await app.call('messages.create', { conversation_id: id, content });
          app.showMessage(`Sent to ${visitor_name}.`);
        },
      },
      isExternal,
    );
  /** Does the work with the oldest waiting draft of the conversation in the thread. */
  const withDraft = (
    conversation: ConversationRow,
    work: (message: ThreadMessage, draft: string) => void,
  ) => {
    const start = () => withLoadedDraft(conversation, work);
    // Right after a jump to a conversation, its messages are not loaded yet.
    if (thread.store.get().phase === 'loading') void app.openAfter(thread.refresh, start);
    else start();
  };
  const withLoadedDraft = (
    { id }: ConversationRow,
    work: (message: ThreadMessage, draft: string) => void,
  ) => {
    const { id: shown, messages, phase, error } = thread.store.get();
    if (phase === 'failed') return app.showMessage(error, 'failed');
    const [message] = shown === id ? waitingDrafts(messages) : [];
    if (message === undefined || message.ai_draft === null) {
      return app.showMessage('No draft is waiting here.', 'note');
    }
    work(message, message.ai_draft);
  };
  const revise = (conversation: ConversationRow) => {
    const { visitor_name } = conversation;
    return withDraft(conversation, ({ id }, draft) => {
      /** The draft that the user knows about. */
      let known = draft;
      replies.open({
        key: `draft ${id}`,
        title: `Draft to ${visitor_name}`,
        recipient: { id: conversation.id, visitor_name },
        initial: draft,
        async send(content) {
          try {
            await app.call('messages.create', { approve: id, content, expected: { ai_draft: known } });
          } catch (error) {
            await thread.refresh();
            const now = thread.store.get().messages.find((message) => message.id === id)?.ai_draft ?? known;
            if (now === known) throw error;
            known = now;
            const submitKey = firstKeyOf(app.keymap, 'editor.submit');
            const sentence = `${app.explain(error)} Press ${submitKey} again to send yours instead.`;
            throw new Error(sentence, { cause: error });
          }
          app.showMessage(`Sent to ${visitor_name}.`);
        },
      });
    });
  };
  const approve = (conversation: ConversationRow) =>
    withDraft(conversation, ({ id }, ai_draft) =>
      app.confirm(
        `Send this to ${conversation.visitor_name}?`,
        async () => {
          await app.call('messages.create', { approve: id, expected: { ai_draft } });
          app.showMessage(`Sent the draft to ${conversation.visitor_name}.`);
          await onChanged();
        },
        ai_draft,
      ),
    );
  const reject = (conversation: ConversationRow) =>
    withDraft(conversation, ({ id }, ai_draft) =>
      app.confirm(`Reject the draft to ${conversation.visitor_name}?`, async () => {
        await app.call('messages.updateDraft', { id, ai_draft: null, expected: { ai_draft } });
        app.showMessage('Rejected the draft.');
        await onChanged();
      }),
    );
  /** Sends the latest failed mail of the thread again. */
  const resend = (conversation: ConversationRow) =>
    app.attempt(async () => {
      if (thread.store.get().phase === 'loading') await thread.refresh();
      const { id: shown, messages } = thread.store.get();
      const failed = lastFailed(messages);
      if (shown !== conversation.id || failed === undefined)
        return app.showMessage('No e-mail has failed here.', 'note');
      await app.call('messages.retry', { id: failed.id });
      app.showMessage(`Sending the e-mail to ${conversation.visitor_name} again.`);
      await onChanged();
    });
  const report = ({ id, subject, visitor_name }: ConversationRow) =>
    reports.open({ source: { conversation_id: id }, title: subject || `From ${visitor_name}` });
  const markRead = (conversation: ConversationRow) => {
    if (selection.keys().size === 0) return markShownRead(conversation);
    const rows = changes.targets(conversation);
    if (rows.length > 0) void app.attempt(() => changes.start(rows, asRead));
  };
  const markShownRead = (conversation: ConversationRow) =>
    app.attempt(async () => {
      const { id: shown, messages } = thread.store.get();
      // Only messages that were on the screen: one that arrives in the meantime stays unread.
      const last = shown === conversation.id ? messages.at(-1)?.id : undefined;
      const { read } = await app.call('conversations.read', {
        id: conversation.id,
        ...(last === undefined ? {} : { up_to: last }),
      });
      app.showMessage(read === 0 ? 'No unread messages.' : `Marked ${counted(read, 'message')} as read.`);
      await onChanged();
    });
  const markUnread = ({ id }: ConversationRow) =>
    app.attempt(async () => {
      const { unread } = await app.call('conversations.unread', { id });
      app.showMessage(unread === 0 ? 'No message to mark.' : 'Marked the newest message as unread.');
      await onChanged();
    });
  const remove = ({ id, visitor_name, subject }: ConversationRow) => {
    const name = `the conversation with ${visitor_name}`;
    app.confirm(`Delete ${name}, “${subject || 'no subject'}”, and all its messages?`, async () => {
      await app.call('conversations.delete', { id });
      app.showMessage(`Deleted ${name}.`);
      onDeleted(id);
      await onChanged();
    });
  };

  const actions: Partial<Record<ActionId, (conversation: ConversationRow) => void>> = {
    'talk.reply': (conversation) => reply(conversation),
    'talk.external': (conversation) => reply(conversation, true),
    'talk.revise': revise,
    'talk.approve': approve,
    'talk.reject': reject,
    'talk.resend': resend,
    'talk.issue': report,
    'talk.read': markRead,
    'talk.unread': markUnread,
    'talk.status': (row) => askStatus(app, changes, row, conversationStatuses),
    'talk.assign': (row) => askAssignee(app, changes, row, shownAssignee),
    'talk.comment': ({ id, visitor_name }) =>
      comments.write({ conversation_id: id }, `the conversation with ${visitor_name}`),
    'talk.comments': ({ id, visitor_name }) =>
      comments.show({ conversation_id: id }, `the conversation with ${visitor_name}`),
    'talk.delete': remove,
  };
  return {
    /** Performs the action. Returns false if it is not an action of a conversation. */
    perform(action: ActionId): boolean {
      if (action === 'talk.undo') {
        void app.attempt(changes.undo);
        return true;
      }
      const work = actions[action];
      if (work === undefined) return false;
      withCurrent(work);
      return true;
    },
    async refresh() {
      await Promise.all([comments.refresh(), replies.refresh()]);
    },
    /** Stops a change that is running. Returns false if none is. */
    stop: changes.stop,
    orphan: replies.orphan,
    undecided: replies.undecided,
    unfinished: changes.unfinished,
    drafts: () => [...replies.drafts(), ...reports.drafts(), ...comments.drafts()],
  };
}
