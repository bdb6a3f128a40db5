import { Command } from 'commander';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { oneWord } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { adminArgument, findAdmin } from './find.ts';

interface UpdateOptions extends Format {
  readonly email?: string;
  readonly username?: string;
  readonly role?: string;
}

/** `backoffice admins update`. */
export function updateAdminCommand(): Command {
  const command = new Command('update')
    .description("change an admin's e-mail, username or role; a new e-mail or role ends the admin's sessions")
    .addArgument(adminArgument())
    .option('--email <email>', 'the new e-mail')
    .option('--username <name>', 'the new username')
    .addOption(oneWord('--role <role>', `the new role: ${rolesHelp}`, roles))
    .addHelpText('after', '\nExample:\n  backoffice admins update grace@example.com --role superadmin');
  return runs(withFormats(command), 'admins.update').action(
    async (admin: string, { email, username, role, ...format }: UpdateOptions) => {
      await withAccess(command, async (access) => {
        const { id, email: known } = await findAdmin(access, admin);
        const done = await access.call('admins.update', { id, email, username, role });
        await emitChange(done, format, () => print(`Changed ${known}.`));
      });
    },
  );
}
