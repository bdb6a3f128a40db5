import type { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { readText } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { readSavedReply } from './saved-reply.ts';

interface SendOptions extends Format {
  /** The shortcut of a saved reply. Only replies have it. */
  readonly saved?: string;
}

/** Completes a command that adds a message to a conversation. */
export function sendsMessage(
  command: Command,
  sender_type: 'admin' | 'visitor',
  describe: (id: number, visitor: string) => string,
): Command {
  command
    .argument('<conversation>', 'the ID of the conversation')
    .argument('[text]', 'the text of the message; omit it or use - for standard input');
  return runs(withFormats(command), 'messages.create').action(
    async (conversation_id: string, given: string | undefined, { saved, ...format }: SendOptions) => {
      if (given !== undefined && saved !== undefined) throw new UsageError('Use either a text or --saved.');
      await withAccess(command, async (access) => {
        // First, so that nobody types a text for a conversation that does not exist.
        const { conversation } = await readThread(access, conversation_id, 1);
        const content =
          saved === undefined ? await readText(given) : await readSavedReply(access, saved, conversation);
        const sent = await access.call('messages.create', { conversation_id, content, sender_type });
        await emitChange(sent, format, () => print(describe(sent.id, printable(conversation.visitor_name))));
      });
    },
  );
}
