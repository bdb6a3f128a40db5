import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { paint } from '../../output/colours.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { outputWidth, print } from '../../terminal.ts';
import { findSavedReply, shortcutArgument } from './find.ts';

/** `backoffice saved-replies show`. */
export function showSavedReplyCommand(): Command {
  const command = new Command('show')
    .description('show a saved reply with its whole text')
    .addArgument(shortcutArgument())
    .addHelpText('after', '\nExample:\n  backoffice saved-replies show on-its-way');
  return runs(withFormats(command), 'savedReplies.list').action(async (shortcut: string, format: Format) => {
    const saved_reply = await withAccess(command, (access) => findSavedReply(access, shortcut));
    await emit({ saved_reply }, format, 'saved_reply', async () => {
      const { indented } = await import('../../output/thread.ts');
      const { title, content } = saved_reply;
      print(`${paint('bold')(printable(saved_reply.shortcut))} · ${printable(title)}`);
      print(indented(content, '  ', outputWidth()).join('\n'));
    });
  });
}
