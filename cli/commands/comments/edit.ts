import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { readText } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findComment } from './find.ts';

/** `backoffice comments edit`. */
export function editCommentCommand(): Command {
  const command = new Command('edit')
    .description('replace the text of your own comment')
    .argument('<comment>', 'the number of the comment', wholeNumber(1))
    .argument('[text]', 'the new text; omit it or use - for standard input')
    .addHelpText('after', '\nExample:\n  backoffice comments edit 3 "Only with Safari 17 and 18."');
  return runs(withFormats(command), 'comments.update').action(
    async (id: number, given: string | undefined, format: Format) => {
      await withAccess(command, async (access) => {
        const seen = await findComment(access, id);
        const content = await readText(given);
        // Typing takes a while.
        const expected = { content: seen.content };
        const done = await access.call('comments.update', { id, content, expected });
        await emitChange(done, format, () => print(`Edited comment ${id}.`));
      });
    },
  );
}
