import type { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { readText } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

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
    async (conversation_id: string, given: string | undefined, format: Format) => {
      await withAccess(command, async (access) => {
        // First, so that nobody types a text for a conversation that does not exist.
        const { conversation } = await readThread(access, conversation_id, 1);
        const content = await readText(given);
        const sent = await access.call('messages.create', { conversation_id, content, sender_type });
        await emitChange(sent, format, () => print(describe(sent.id, printable(conversation.visitor_name))));
      });
    },
  );
}
