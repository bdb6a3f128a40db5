import { Argument, Command } from 'commander';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { confirm } from '../../prompts.ts';
import { print } from '../../terminal.ts';

const example = (words: string) => `\nExample:\n  backoffice conversations ${words}`;

/** `backoffice conversations set-status`. */
export function setConversationStatus(): Command {
  const command = new Command('set-status')
    .description('change the status of a conversation')
    .argument('<conversation>', 'the ID of the conversation')
    .addArgument(new Argument('<status>', 'its new status').choices(conversationStatuses))
    .addHelpText('after', example('set-status conv_1769851800000_k3x9a2b resolved'));
  return runs(withFormats(command), 'conversations.changeStatus').action(
    async (id: string, status: string, format: Format) => {
      await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const changed = await access.call('conversations.changeStatus', { id, status });
        await emitChange(changed, format, () => print(`Conversation ${printable(id)} is ${status}.`));
      });
    },
  );
}

/** `backoffice conversations read`. */
export function readConversation(): Command {
  const command = new Command('read')
    .description("mark a visitor's messages as read")
    .argument('<conversation>', 'the ID of the conversation')
    .option('--up-to <message>', 'only up to the message of this number', wholeNumber(1))
    .addHelpText('after', example('read conv_1769851800000_k3x9a2b'));
  return runs(withFormats(command), 'conversations.read').action(
    async (id: string, { upTo, ...format }: Format & { upTo?: number }) => {
      await withAccess(command, async (access) => {
        await readThread(access, id, 1);
        const done = await access.call('conversations.read', { id, up_to: upTo });
        await emitChange(done, format, () => print(`Marked ${done.read} as read.`));
      });
    },
  );
}

/** `backoffice conversations delete`. */
export function deleteConversation(): Command {
  const command = new Command('delete')
    .description('delete a conversation with all of its messages')
    .argument('<conversation>', 'the ID of the conversation')
    .option('--dry-run', 'only show what would be deleted')
    .option('--yes', 'do not ask')
    .addHelpText('after', example('delete conv_1769851800000_k3x9a2b --dry-run'));
  return runs(withFormats(command), 'conversations.delete').action(
    async (id: string, { dryRun, yes, ...format }: Format & { dryRun?: boolean; yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { conversation } = await readThread(access, id, 1);
        const what = printable(`the conversation ${id} with ${conversation.visitor_name}`);
        if (dryRun) return print(`Would delete ${what}.`);
        await confirm(`Delete ${what} and all of its messages?`, yes);
        const done = await access.call('conversations.delete', { id });
        await emitChange(done, format, () => print(`Deleted ${what}.`));
      });
    },
  );
}
