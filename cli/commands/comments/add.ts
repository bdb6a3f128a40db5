import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { textArgument, withText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { findSubject, type SubjectOptions, withSubject } from './subject.ts';

/** `backoffice comments add`. */
export function addCommentCommand(): Command {
  const command = withSubject(
    new Command('add')
      .description('comment on an issue or a conversation; visitors never see it')
      .addArgument(textArgument('the text of the comment')),
  ).addHelpText(
    'after',
    `
Examples:
  backoffice comments add --issue 42 "Only with Safari 17."
  backoffice comments add --conversation conv_1769851800000_k3x9a2b < note.txt`,
  );
  return runs(withFormats(command), 'comments.create').action(
    async (given: string | undefined, options: SubjectOptions & Format) => {
      await withAccess(command, async (access) => {
        // First, so that nobody types a text for an issue that does not exist.
        const { fields, name } = await findSubject(access, options);
        const about = [`The comment is on ${name}. Visitors never see it.`];
        await withText(given, { what: 'comment', about }, async (content) => {
          const added = await access.call('comments.create', { ...fields, content });
          await emitChange(added, options, () => print(`Added comment ${added.comment.id} to ${name}.`));
        });
      });
    },
  );
}
