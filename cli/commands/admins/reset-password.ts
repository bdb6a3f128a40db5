import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { readPassword } from '../../input/prompts.ts';
import { warnOfWeakPassword } from '../../input/weak-password.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins reset-password`. */
export function resetAdminPasswordCommand(): Command {
  const command = new Command('reset-password')
    .description(
      'set a new password for an admin, and end its sessions; prompts for it, or reads it from standard input',
    )
    .addArgument(adminArgument())
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  pass show grace | backoffice admins reset-password grace@example.com --password-stdin',
    );
  return runs(withFormats(command), 'admins.update').action(
    async (admin: string, { passwordStdin, ...format }: Format & { passwordStdin?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email } = await findAdmin(access, admin);
        const password = await readPassword(passwordStdin);
        const done = await access.call('admins.update', { id, password });
        await emitChange(done, format, () => print(`Set a new password for ${email}.`));
        await warnOfWeakPassword(password, email);
      });
    },
  );
}
