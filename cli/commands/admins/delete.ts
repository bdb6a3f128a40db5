import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emit, emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins delete`. */
export function deleteAdminCommand(): Command {
  const command = new Command('delete')
    .description('delete an admin and end its sessions')
    .addArgument(adminArgument())
    .option('--dry-run', 'only show which admin would be deleted')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice admins delete grace@example.com --dry-run');
  return runs(withFormats(command), 'admins.delete').action(
    async (admin: string, { dryRun, yes, ...format }: Format & { dryRun?: boolean; yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email, role } = await findAdmin(access, admin);
        if (dryRun)
          return await emit({ id, email, role }, format, undefined, () =>
            print(`Would delete ${role} ${email} (${id}).`),
          );
        await confirm(`Delete ${role} ${email} (${id})?`, yes);
        const done = await access.call('admins.delete', { id });
        await emitChange(done, format, () => print(`Deleted ${email}.`));
      });
    },
  );
}
