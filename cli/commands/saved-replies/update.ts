import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { readTexts, withEditedText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { placeholderHelp, remarkUnknownPlaceholders } from '../../output/placeholders.ts';
import { print } from '../../terminal.ts';
import { findSavedReply, shortcutArgument } from './find.ts';

interface UpdateOptions extends Format {
  readonly newShortcut?: string;
  readonly title?: string;
  readonly text?: string;
  readonly edit?: true;
}

/** `backoffice saved-replies update`. */
export function updateSavedReplyCommand(): Command {
  const command = new Command('update')
    .description('change a saved reply')
    .addArgument(shortcutArgument())
    .option('--new-shortcut <shortcut>', 'the new shortcut')
    .option('--title <title>', 'the new title')
    .option('--text <text>', 'the new text of the reply; - for standard input')
    .option('--edit', 'change the text in your editor')
    .addHelpText(
      'after',
      `
Examples:
  backoffice saved-replies update on-its-way --new-shortcut shipped
  backoffice saved-replies update on-its-way --edit`,
    );
  return runs(withFormats(command), 'savedReplies.update').action(
    async (shortcut: string, options: UpdateOptions) => {
      const { edit, ...given } = await readTexts(options, ['text']);
      if (edit && given.text !== undefined) throw new UsageError('Use either --text or --edit.');
      await withAccess(command, async (access) => {
        const { id, content } = await findSavedReply(access, shortcut);
        if (!edit) return await update(access, id, shortcut, given);
        await withEditedText({ what: 'saved reply', initial: content, about: [placeholderHelp] }, (text) =>
          update(access, id, shortcut, { ...given, text }, content),
        );
      });
    },
  );
}

/** @param seen - the text that the user saw, if it is the one to change */
async function update(
  access: Access,
  id: number,
  shortcut: string,
  { newShortcut, title, text, ...format }: UpdateOptions,
  seen?: string,
): Promise<void> {
  const changes = { shortcut: newShortcut, title, content: text };
  const expected = seen === undefined ? undefined : { content: seen };
  const done = await access.call('savedReplies.update', { id, ...changes, expected });
  remarkUnknownPlaceholders(text ?? '');
  await emitChange(done, format, () => print(`Changed saved reply ${newShortcut ?? shortcut}.`));
}
