import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread, type ThreadMessage } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';
import { changeConversations } from './change-conversations.ts';
import {
  type ConversationSelectionOptions,
  readConversationSelection,
  withConversationSelection,
} from './selection.ts';

interface ReadOptions extends Format, ConversationSelectionOptions {
  readonly upTo?: number;
}

/** `backoffice conversations read`. */
export function readConversationCommand(): Command {
  const command = withConversationSelection(
    new Command('read').description("mark visitors' messages as read"),
  )
    .option(
      '--up-to <message>',
      'of one conversation: only up to the message with this number',
      wholeNumber(1),
    )
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations read conv_1769851800000_k3x9a2b
  backoffice conversations read --filter 'is:unread older:30d'`,
    );
  return runs(withFormats(command), 'conversations.read', 'conversations.update').action(
    async (words: readonly string[], options: ReadOptions) => {
      const { upTo, dryRun, yes } = options;
      const selection = await readConversationSelection(words, options);
      const [only] = 'ids' in selection && words.length === 1 && words[0] !== '-' ? selection.ids : [];
      if (upTo !== undefined && only === undefined)
        throw new UsageError('--up-to needs the ID of one conversation.');
      await withAccess(command, async (access) => {
        if (only !== undefined && upTo !== undefined && dryRun) {
          const { messages } = await readThread(access, only, 0);
          const isUnread = ({ id, sender_type, status }: ThreadMessage) =>
            id <= upTo && sender_type === 'visitor' && status === 'sent';
          const read = messages.filter(isUnread).length;
          return await emit({ read }, options, undefined, () =>
            print(`Would mark ${counted(read, 'message')} as read.`),
          );
        }
        if (only === undefined || dryRun) {
          const question = (conversations: string) => `Mark ${conversations} as read?`;
          const done = await changeConversations(access, selection, {
            ...{ set: { read: true }, question, dryRun, yes },
          });
          return await emitBulk(done, options, 'conversation', dryRun);
        }
        await readThread(access, only, 1);
        const done = await access.call('conversations.read', { id: only, up_to: upTo });
        await emitChange(done, options, () => print(`Marked ${counted(done.read, 'message')} as read.`));
      });
    },
  );
}
