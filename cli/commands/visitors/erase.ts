import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';

/** `backoffice visitors erase`. */
export function eraseVisitorCommand(): Command {
  const command = new Command('erase')
    .description('erase everything about a visitor, also from events, deliveries and the audit trail')
    .argument('<email>', "the visitor's e-mail address", (email) => email.trim())
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice visitors erase ada@example.com');
  return runs(withFormats(command), 'visitors.erase').action(
    async (email: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await confirm(`Erase everything about ${printable(email)}? This cannot be undone.`, yes);
      const done = await withAccess(command, (access) => access.call('visitors.erase', { email }));
      await emitChange(done, format, () => {
        const { conversations, messages, redacted } = done;
        print(
          `Deleted ${counted(conversations, 'conversation')} with ${counted(messages, 'message')}, and erased the visitor ` +
            `from ${counted(redacted, 'other row')}.`,
        );
      });
    },
  );
}
