import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findSavedReply, shortcutArgument } from './find.ts';

/** `backoffice saved-replies delete`. */
export function deleteSavedReplyCommand(): Command {
  const command = new Command('delete')
    .description('delete a saved reply')
    .addArgument(shortcutArgument())
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice saved-replies delete on-its-way');
  return runs(withFormats(command), 'savedReplies.delete').action(
    async (given: string, { yes, ...format }: Format & { yes?: boolean }) => {
      const { done, shortcut } = await withAccess(command, async (access) => {
        const { id, shortcut, title } = await findSavedReply(access, given);
        await confirm(`Delete the saved reply ${shortcut} (${title})?`, yes);
        return { done: await access.call('savedReplies.delete', { id }), shortcut };
      });
      await emitChange(done, format, () => print(`Deleted saved reply ${shortcut}.`));
    },
  );
}
