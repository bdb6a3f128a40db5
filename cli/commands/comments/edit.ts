import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { textArgument, withText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findComment } from './find.ts';

/** `backoffice comments edit`. */
export function editCommentCommand(): Command {
  const command = new Command('edit')
    .description('replace the text of your own comment')
    .argument('<comment>', 'the number of the comment', wholeNumber(1))
    .addArgument(textArgument('the new text'))
    .addHelpText('after', '\nExample:\n  backoffice comments edit 3 "Only with Safari 17 and 18."');
  return runs(withFormats(command), 'comments.update').action(
    async (id: number, given: string | undefined, format: Format) => {
      await withAccess(command, async (access) => {
        const seen = await findComment(access, id);
        await withText(given, { what: 'comment', initial: seen.content }, async (content) => {
          // Writing takes a while.
          const expected = { content: seen.content };
          const done = await access.call('comments.update', { id, content, expected });
          await emitChange(done, format, () => print(`Edited comment ${id}.`));
        });
      });
    },
  );
}
