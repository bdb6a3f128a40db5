import { Argument, Command, Option } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { NotFoundError } from '../../errors.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { confirm, readPassword } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';

type Admin = OutputOf<'admins.list'>['admins'][number];

const columns: readonly Column<Admin>[] = [
  { heading: 'email', value: ({ email }) => email, cut: true },
  { heading: 'username', value: ({ username }) => username, cut: true, dropAs: 2 },
  { heading: 'role', value: ({ role }) => role },
  { heading: 'active', value: ({ is_active }) => (is_active === 1 ? 'yes' : 'no') },
  { heading: 'created', value: ({ created_at }) => ago(created_at), dropAs: 1 },
  { heading: 'id', value: ({ id }) => id, dropAs: 3 },
];

/** Commands that act on one admin take either. */
const whom = () => new Argument('<admin>', 'the e-mail or ID of the admin');

/** `backoffice admins`: the accounts of the back office. */
export function adminsCommand(): Command {
  const command = new Command('admins').description('manage the accounts of administrators');
  const verbs = [
    list(),
    create(),
    update(),
    remove(),
    activity('activate'),
    activity('deactivate'),
    resetPassword(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}

/** The admin of that e-mail or ID. */
async function find(access: Access, emailOrId: string): Promise<Admin> {
  const wanted = emailOrId.trim().toLowerCase();
  for (let page = 1; ; page++) {
    const { admins, pagination } = await access.call('admins.list', { page, limit: 100 });
    const found = admins.find(({ id, email }) => id === emailOrId || email === wanted);
    if (found !== undefined) return found;
    if (page >= pagination.totalPages) {
      throw new NotFoundError(`There is no admin ${emailOrId}: see backoffice admins list.`);
    }
  }
}

function list(): Command {
  const command = new Command('list')
    .description('list admins, the oldest first, a page at a time')
    .option('--page <number>', 'which page', wholeNumber(1), 1)
    .option('--limit <number>', 'how many on a page, 100 at most', wholeNumber(1), 30);
  return runs(withFormats(command, 'json and csv'), 'admins.list').action(
    async ({ page, limit, ...format }: Format & { page: number; limit: number }) => {
      const document = await withAccess(command, (access) => access.call('admins.list', { page, limit }));
      await emit(document, format, 'admins', async () => {
        const { total, totalPages } = document.pagination;
        if (document.admins.length === 0) return remark(`There is no page ${page}: there are ${totalPages}.`);
        await emitTable(columns, document.admins);
        if (page < totalPages)
          remark(`Page ${page} of ${totalPages}, ${total} admins: --page ${page + 1} shows more.`);
      });
    },
  );
}

interface CreateOptions extends Format {
  readonly email: string;
  readonly role: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
}

function create(): Command {
  const command = new Command('create')
    .description('create an admin; the password is asked for, or read from standard input')
    .requiredOption('--email <email>', 'what it signs in with')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).default('admin'))
    .option('--username <name>', 'what it is called; by default, the e-mail up to the @')
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
    },
  );
}

interface UpdateOptions extends Format {
  readonly email?: string;
  readonly username?: string;
  readonly role?: string;
}

function update(): Command {
  const command = new Command('update')
    .description(
      "change an admin's e-mail, username or role; the admin is signed out by a new e-mail or role",
    )
    .addArgument(whom())
    .option('--email <email>', 'its new e-mail')
    .option('--username <name>', 'its new username')
    .addOption(new Option('--role <role>', 'its new role').choices(roles))
    .addHelpText('after', '\nExample:\n  backoffice admins update grace@example.com --role superadmin');
  return runs(withFormats(command), 'admins.update').action(
    async (who: string, { email, username, role, ...format }: UpdateOptions) => {
      await withAccess(command, async (access) => {
        const { id, email: known } = await find(access, who);
        const done = await access.call('admins.update', { id, email, username, role });
        await emitChange(done, format, () => print(`Changed ${known}.`));
      });
    },
  );
}

function remove(): Command {
  const command = new Command('delete')
    .description('delete an admin, and sign it out')
    .addArgument(whom())
    .option('--dry-run', 'only show who would be deleted')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice admins delete grace@example.com --dry-run');
  return runs(withFormats(command), 'admins.delete').action(
    async (who: string, { dryRun, yes, ...format }: Format & { dryRun?: boolean; yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email, role } = await find(access, who);
        if (dryRun) return print(`Would delete ${role} ${email} (${id}).`);
        await confirm(`Delete ${role} ${email} (${id})?`, yes);
        const done = await access.call('admins.delete', { id });
        await emitChange(done, format, () => print(`Deleted ${email}.`));
      });
    },
  );
}

function activity(verb: 'activate' | 'deactivate'): Command {
  const command = new Command(verb)
    .description(
      verb === 'activate' ? 'let an admin sign in again' : 'keep an admin from signing in, and sign it out',
    )
    .addArgument(whom())

    .addHelpText('after', `\nExample:\n  backoffice admins ${verb} grace@example.com`);
  if (verb === 'deactivate') command.option('--yes', 'do not ask');
  return runs(withFormats(command), 'admins.changeActivity').action(
    async (who: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email, role } = await find(access, who);
        if (verb === 'deactivate') await confirm(`Deactivate ${role} ${email}?`, yes);
        const done = await access.call('admins.changeActivity', {
          id,
          is_active: verb === 'activate' ? 1 : 0,
        });
        await emitChange(done, format, () => print(`${email} is ${verb}d.`));
      });
    },
  );
}

function resetPassword(): Command {
  const command = new Command('reset-password')
    .description('give an admin a new password, asked for or read from standard input, and sign it out')
    .addArgument(whom())
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  pass show grace | backoffice admins reset-password grace@example.com --password-stdin',
    );
  return withFormats(command).action(
    async (who: string, { passwordStdin, ...format }: Format & { passwordStdin?: boolean }) => {
      await withAccess(command, async (access) => {
        const { id, email } = await find(access, who);
        const done = await access.call('admins.update', { id, password: await readPassword(passwordStdin) });
        await emitChange(done, format, () => print(`${email} has a new password.`));
      });
    },
  );
}
