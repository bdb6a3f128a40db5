import { Command } from 'commander';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { readPassword } from '../../input/prompts.ts';
import { warnOfWeakPassword } from '../../input/weak-password.ts';
import { oneWord } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

interface CreateOptions extends Format {
  readonly email: string;
  readonly role: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
}

/** `backoffice admins create`. */
export function createAdminCommand(): Command {
  const command = new Command('create')
    .description('create an admin; prompts for the password, or reads it from standard input')
    .requiredOption('--email <email>', 'the e-mail to sign in with')
    .addOption(oneWord('--role <role>', `the role: ${rolesHelp}`, roles).default('admin'))
    .option('--username <name>', 'the username; by default, the e-mail up to the @')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  pass show grace | backoffice admins create --email grace@example.com --role superadmin --password-stdin',
    );
  return runs(withFormats(command), 'admins.create').action(
    async ({ email, role, username, passwordStdin, ...format }: CreateOptions) => {
      const password = await readPassword(passwordStdin);
      const created = await withAccess(command, (access) =>
        access.call('admins.create', { email, password, username, role }),
      );
      const { admin } = created;
      await emitChange(created, format, () => print(`Created ${admin.role} ${admin.email} (${admin.id}).`));
      await warnOfWeakPassword(password, admin.email);
    },
  );
}
