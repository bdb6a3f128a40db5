import { Command, Option } from 'commander';
import { roles } from '../src/contract/roles.ts';
import { run, withServices } from './connection.ts';
import { readPassword } from './prompts.ts';
import { print } from './terminal.ts';

interface CreateOptions {
  readonly email: string;
  readonly role: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
  readonly json?: boolean;
}

/** `backoffice admins`: the accounts of the back office. */
export function adminsCommand(): Command {
  const command = new Command('admins').description('manage the accounts of administrators');
  command
    .command('create')
    .description('create an admin; the password is asked for, or read from standard input')
    .requiredOption('--email <email>', 'what it signs in with')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).default('admin'))
    .option('--username <name>', 'what it is called; by default, the e-mail up to the @')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  pass show grace | backoffice admins create --email grace@example.com --role superadmin --password-stdin',
    )
    .action(async ({ email, role, username, passwordStdin, json }: CreateOptions) => {
      const password = await readPassword(passwordStdin);
      const created = await withServices((services) =>
        run(services, 'admins.create', { email, password, username, role }),
      );
      const { admin } = created;
      print(json ? JSON.stringify(created) : `Created ${admin.role} ${admin.email} (${admin.id}).`);
    });
  return command;
}
