import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations delete`. */
export function deleteConversationCommand(): Command {
  const command = new Command('delete')
    .description('delete a conversation and all its messages')
    .argument('<conversation>', 'the ID of the conversation')
    .option('--dry-run', 'only show what would be deleted')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations delete conv_1769851800000_k3x9a2b --dry-run',
    );
  return runs(withFormats(command), 'conversations.delete').action(
    async (id: string, { dryRun, yes, ...format }: Format & { dryRun?: boolean; yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { conversation } = await readThread(access, id, 1);
        const what = printable(`the conversation ${id} with ${conversation.visitor_name}`);
        if (dryRun) return print(`Would delete ${what}.`);
        await confirm(`Delete ${what} and all its messages?`, yes);
        const done = await access.call('conversations.delete', { id });
        await emitChange(done, format, () => print(`Deleted ${what}.`));
      });
    },
  );
}
