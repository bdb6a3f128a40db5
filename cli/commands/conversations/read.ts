import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations read`. */
export function readConversationCommand(): Command {
  const command = new Command('read')
    .description("mark a visitor's messages as read")
    .argument('<conversation>', 'the ID of the conversation')
    .option('--up-to <message>', 'only up to the message with this number', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice conversations read conv_1769851800000_k3x9a2b');
  return runs(withFormats(command), 'conversations.read').action(
    async (id: string, { upTo, ...format }: Format & { upTo?: number }) => {
      await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const done = await access.call('conversations.read', { id, up_to: upTo });
        await emitChange(done, format, () => print(`Marked ${counted(done.read, 'message')} as read.`));
      });
    },
  );
}
