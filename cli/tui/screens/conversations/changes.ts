import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { App } from '../../state/app.ts';
import { statusPaint } from '../../theme.ts';
import { assigneeDialog } from '../assignees.ts';
import type { ConversationRow } from './row.ts';
import type { ThreadPane } from './thread.ts';

/** Changes the status or the assignee of a conversation, and undoes the last such change. */
export function conversationChanges(
  app: App,
  thread: Pick<ThreadPane, 'store'>,
  onChanged: () => Promise<void>,
) {
  /** Undoes the last change, and returns what that did. */
  let undoLast: (() => Promise<string>) | undefined;
  const report = async (sentence: string, undo: () => Promise<string>) => {
    undoLast = undo;
    app.showMessage(`${sentence} ${firstKeyOf(app.keymap, 'talk.undo')} undoes this.`);
    await onChanged();
  };

  const askStatus = ({ id, visitor_name, status }: ConversationRow) =>
    app.open(
      choiceDialog(app, {
        title: `Status of the conversation with ${visitor_name}`,
        options: conversationStatuses,
        current: status,
        paint: statusPaint,
        async onChoose(chosen) {
          const change = (from: string, to: string) =>
            app.call('conversations.changeStatus', { id, status: to, expected: { status: from } });
          await change(status, chosen);
          await report(`The conversation with ${visitor_name} is now ${chosen}.`, async () => {
            await change(chosen, status);
            return `The conversation with ${visitor_name} is ${status} again.`;
          });
        },
      }),
    );

  const askAssignee = ({ id, visitor_name }: ConversationRow) => {
    const { conversation } = thread.store.get();
    app.open(
      assigneeDialog(app, {
        title: `Assign the conversation with ${visitor_name}`,
        readCurrent: async () => (conversation?.id === id ? (conversation.assignee ?? null) : undefined),
        async onChoose(assignee) {
          const set = { assignee_id: assignee?.id ?? null };
          const { change_id, unknown } = await app.call('conversations.update', { ids: [id], set });
          if (unknown.length > 0) throw new Error('This conversation no longer exists.');
          const name = assignee?.username ?? 'nobody';
          const sentence = `The conversation with ${visitor_name} is assigned to ${name}.`;
          if (change_id === null) return app.showMessage(sentence);
          await report(sentence, async () => {
            const { restored } = await app.call('changes.undo', { change_id });
            if (restored === 0) return 'The conversation was assigned again since, and stays.';
            return `The conversation with ${visitor_name} is assigned as before.`;
          });
        },
      }),
    );
  };

  return {
    askStatus,
    askAssignee,
    async undo() {
      const undo = undoLast;
      if (undo === undefined) return app.showMessage('There is no change to undo.', 'note');
      const done = await undo();
      undoLast = undefined;
      app.showMessage(done);
      await onChanged();
    },
  };
}
