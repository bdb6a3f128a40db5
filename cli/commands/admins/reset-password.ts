import { Command } from 'commander';
import { withAccess } from '../../access/with-access.ts';
import { readPassword } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins reset-password`. */
export function resetAdminPasswordCommand(): Command {
  const command = new Command('reset-password')
    .description('give an admin a new password, asked for or read from standard input, and sign it out')
    .addArgument(adminArgument())
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  pass show grace | backoffice admins reset-password grace@example.com --password-stdin',
    );
  return withFormats(command).action(
    async (who: string, { passwordStdin, ...format }: Format & { passwordStdin?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email } = await findAdmin(access, who);
        const done = await access.call('admins.update', { id, password: await readPassword(passwordStdin) });
        await emitChange(done, format, () => print(`${email} has a new password.`));
      });
    },
  );
}
