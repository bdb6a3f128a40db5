import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { remarkUnknownPlaceholders } from '../../output/placeholders.ts';
import { print } from '../../terminal.ts';
import { findSavedReply, shortcutArgument } from './find.ts';

interface UpdateOptions extends Format {
  readonly newShortcut?: string;
  readonly title?: string;
  readonly text?: string;
}

/** `backoffice saved-replies update`. */
export function updateSavedReplyCommand(): Command {
  const command = new Command('update')
    .description('change a saved reply')
    .addArgument(shortcutArgument())
    .option('--new-shortcut <shortcut>', 'the new shortcut')
    .option('--title <title>', 'the new title')
    .option('--text <text>', 'the new text of the reply')
    .addHelpText('after', '\nExample:\n  backoffice saved-replies update on-its-way --new-shortcut shipped');
  return runs(withFormats(command), 'savedReplies.update').action(
    async (shortcut: string, { newShortcut, title, text, ...format }: UpdateOptions) => {
      const done = await withAccess(command, async (access) => {
        const { id } = await findSavedReply(access, shortcut);
        const changes = { shortcut: newShortcut, title, content: text };
        return await access.call('savedReplies.update', { id, ...changes });
      });
      remarkUnknownPlaceholders(text ?? '');
      await emitChange(done, format, () => print(`Changed saved reply ${newShortcut ?? shortcut}.`));
    },
  );
}
