import { Command } from 'commander';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { type ExpectedStatus, expectedStatus, withExpected } from '../../input/expected-status.ts';
import { wordArgument } from '../../input/words.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations set-status`. */
export function setConversationStatusCommand(): Command {
  const command = new Command('set-status')
    .description('change the status of a conversation')
    .argument('<conversation>', 'the ID of the conversation')
    .addArgument(wordArgument('<status>', 'the new status', conversationStatuses))
    .addOption(expectedStatus(conversationStatuses))
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations set-status conv_1769851800000_k3x9a2b resolved',
    );
  return runs(withFormats(command), 'conversations.changeStatus').action(
    async (id: string, status: string, { expected, ...format }: ExpectedStatus) => {
      await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const changed = await access.call('conversations.changeStatus', {
          id,
          status,
          ...withExpected(expected),
        });
        await emitChange(changed, format, () => print(`Conversation ${printable(id)} is ${status}.`));
      });
    },
  );
}
