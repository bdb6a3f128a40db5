import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findComment } from './find.ts';

/** `backoffice comments delete`. */
export function deleteCommentCommand(): Command {
  const command = new Command('delete')
    .description('delete a comment')
    .argument('<comment>', 'the number of the comment', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice comments delete 3');
  return runs(withFormats(command), 'comments.delete').action(
    async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { author } = await findComment(access, id);
        await confirm(`Delete comment ${id} of ${author?.email ?? author?.username ?? 'somebody'}?`, yes);
        const done = await access.call('comments.delete', { id });
        await emitChange(done, format, () => print(`Deleted comment ${id}.`));
      });
    },
  );
}
