import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { textArgument, withText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { placeholderHelp, remarkUnknownPlaceholders } from '../../output/placeholders.ts';
import { print } from '../../terminal.ts';

/** `backoffice saved-replies create`. */
export function createSavedReplyCommand(): Command {
  const command = new Command('create')
    .description('save a reply')
    .argument('<shortcut>', 'what people type to find it: letters, digits, hyphens and underscores')
    .argument('<title>', 'what it is about')
    .addArgument(textArgument('the text of the reply'))
    .addHelpText(
      'after',
      `
${placeholderHelp}

Example:
  backoffice saved-replies create on-its-way "Parcel is on its way" "Hello {{visitor_name}}, it is on its way."`,
    );
  return runs(withFormats(command), 'savedReplies.create').action(
    async (shortcut: string, title: string, given: string | undefined, format: Format) => {
      const text = { what: 'saved reply', about: [placeholderHelp] };
      await withText(given, text, async (content) => {
        const created = await withAccess(command, (access) =>
          access.call('savedReplies.create', { shortcut, title, content }),
        );
        remarkUnknownPlaceholders(content);
        await emitChange(created, format, () => print(`Created saved reply ${shortcut}.`));
      });
    },
  );
}
