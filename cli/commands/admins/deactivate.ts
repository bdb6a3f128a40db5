import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins deactivate`. */
export function deactivateAdminCommand(): Command {
  const command = new Command('deactivate')
    .description('prevent an admin from signing in, and end its sessions')
    .addArgument(adminArgument())
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice admins deactivate grace@example.com');
  return runs(withFormats(command), 'admins.changeActivity').action(
    async (admin: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email, role } = await findAdmin(access, admin);
        await confirm(`Deactivate ${role} ${email}?`, yes);
        const done = await access.call('admins.changeActivity', { id, is_active: 0 });
        await emitChange(done, format, () => print(`Deactivated ${email}.`));
      });
    },
  );
}
