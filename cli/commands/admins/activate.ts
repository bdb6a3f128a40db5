import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins activate`. */
export function activateAdminCommand(): Command {
  const command = new Command('activate')
    .description('allow an admin to sign in again')
    .addArgument(adminArgument())
    .addHelpText('after', '\nExample:\n  backoffice admins activate grace@example.com');
  return runs(withFormats(command), 'admins.changeActivity').action(async (admin: string, format: Format) => {
    await withAccess(command, async (access) => {
      const { id, email } = await findAdmin(access, admin);
      const done = await access.call('admins.changeActivity', { id, is_active: 1 });
      await emitChange(done, format, () => print(`Activated ${email}.`));
    });
  });
}
