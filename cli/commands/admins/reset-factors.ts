import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

/** `backoffice admins reset-factors`. */
export function resetAdminFactorsCommand(): Command {
  const command = new Command('reset-factors')
    .description(
      'remove all second factors and recovery codes of an admin who has lost them, and end its sessions',
    )
    .addArgument(adminArgument())
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice admins reset-factors grace@example.com');
  return runs(withFormats(command), 'factors.reset').action(
    async (admin: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email, role } = await findAdmin(access, admin);
        const { factors } = await access.call('factors.listOfAdmin', { id });
        const what = counted(factors.length, 'second factor');
        await confirm(`Remove ${what} of ${role} ${email}? The password alone signs in then.`, yes);
        const done = await access.call('factors.reset', { id });
        await emitChange(done, format, () =>
          print(`Removed ${counted(done.removed, 'second factor')} of ${email}.`),
        );
      });
    },
  );
}
