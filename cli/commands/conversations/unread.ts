import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations unread`. */
export function unreadConversationCommand(): Command {
  const command = new Command('unread')
    .description("mark a visitor's newest message as unread again")
    .argument('<conversation>', 'the ID of the conversation')
    .option('--from <message>', 'all messages from the one with this number on', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice conversations unread conv_1769851800000_k3x9a2b');
  return runs(withFormats(command), 'conversations.unread').action(
    async (id: string, { from, ...format }: Format & { from?: number }) => {
      await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const done = await access.call('conversations.unread', { id, from });
        await emitChange(done, format, () => print(`Marked ${counted(done.unread, 'message')} as unread.`));
      });
    },
  );
}
