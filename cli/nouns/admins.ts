import { admins as noun } from '../../src/contract/fields/admins.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { rolesHelp } from '../../src/contract/roles.ts';
import type { Access } from '../access/access.ts';
import { confirm, readPassword } from '../input/prompts.ts';
import { emit } from '../output/emit.ts';
import { defaultRows, listIn } from '../output/formats.ts';
import { type Column, columnsOf, timeColumn } from '../terminal/columns.ts';
import { print, remark } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { change, emitDone, yes } from '../verb/change.ts';
import { sortOf, table } from '../verb/list.ts';
import { argument, flag, number, option, or, required, text } from '../verb/parameters.ts';
import { admin } from '../verb/people.ts';
import { findRow } from '../verb/rows.ts';
import { calling, verb, verbs } from '../verb/verb.ts';

const { email, username, role } = noun.fields;
const passwordStdin = flag('read the password from standard input');
const newRole = or(option(role, `the role: ${rolesHelp}`), 'admin');

/** What people see by default. */
const rowsOnTerminal = 30;
const maxPageSize = 100;

/** Reads admins, page by page. */
async function readAdmins(access: Access, input: object, limit: number): Promise<OutputOf<'admins.list'>> {
  const pageOf = (page: number) =>
    access.call('admins.list', { ...input, page, limit: Math.min(limit || maxPageSize, maxPageSize) });
  const { admins, pagination } = await pageOf(1);
  for (let page = 2; page <= pagination.totalPages && (limit === 0 || admins.length < limit); page += 1)
    admins.push(...(await pageOf(page)).admins);
  return { admins: limit === 0 ? admins : admins.slice(0, limit), pagination };
}

const factorNames = { totp: 'authenticator app', passkey: 'passkey' } as const;
const factorColumns: readonly Column<OutputOf<'factors.listOfAdmin'>['factors'][number]>[] = [
  { heading: 'type', value: ({ type }) => factorNames[type] },
  { heading: 'name', value: ({ name }) => name, cut: true },
  timeColumn('added', 'created_at'),
  timeColumn('used', 'last_used_at', { none: 'never' }),
  { heading: 'id', value: ({ id }) => id, dropAs: 1 },
];

/** Says that a password which was just set is easy to guess. */
async function warnOfWeakPassword(password: string, email: string): Promise<void> {
  // Imported on demand, because it would slow down `--help`.
  const { weaknessOf } = await import('../../src/services/sign-in/password-policy.ts');
  const weakness = await weaknessOf(password, email);
  if (weakness !== undefined) remark(`Warning: ${weakness}`);
}

/** The accounts of the back office. */
export const admins = verbs('backoffice admins list', {
  list: table('admins.list', {
    about: 'list admins, oldest first',
    params: {
      search: text('only if the ID, e-mail, username or role contains these words', 'words'),
      sort: sortOf(noun),
      limit: number('maximum number; 0 for all', 0),
    },
    rows: listIn('admins.list', 'admins', 'email'),
    columns: columnsOf<OutputOf<'admins.list'>['admins'][number]>(noun, [
      ...(['email', ['username', 2], 'role', 'is_active', ['created_at', 1], ['id', 3]] as const),
    ]),
    web: { page: 'admins', takes: ['sort', ['search', 'q']] },
    examples: ['backoffice admins list --sort -created_at --json email,role'],
    async read({ given: { search: q, sort, limit }, format, access }) {
      const wanted = limit ?? defaultRows(format, rowsOnTerminal);
      const document = await readAdmins(access, { q, sort }, wanted);
      const { total } = document.pagination;
      const shown = document.admins.length;
      const which = `the first ${grouped(shown)} of ${counted(total, 'admin')}`;
      return {
        document,
        none: q === undefined ? 'No admins.' : 'No admins match.',
        below: shown < total ? `Showing ${which}. Use --limit 0 to show all.` : undefined,
      };
    },
  }),

  create: calling('admins.create', {
    about: 'create an admin; prompts for the password, or reads it from standard input',
    params: {
      email: required(option(email, 'the e-mail to sign in with')),
      role: newRole,
      username: option(username, 'the username; by default, the e-mail up to the @'),
      passwordStdin,
    },
    examples: [
      'pass show grace | backoffice admins create --email grace@example.com --role superadmin --password-stdin',
    ],
    async run({ given: { passwordStdin, ...fields }, format, access }) {
      const password = await readPassword(passwordStdin);
      const created = await access.call('admins.create', { ...fields, password });
      const { id, email, role } = created.admin;
      await emitDone(created, format, `Created ${role} ${email} (${id}).`);
      await warnOfWeakPassword(password, email);
    },
  }),

  invite: change('invitations.create', {
    about: 'invite someone to create an account; sends a link by mail, or prints it without a mail server',
    params: { email: argument(option(email, 'the e-mail of the new admin')), role: newRole },
    input: (given) => given,
    done({ invitation: { email, expires_at }, link }, _row, { role }) {
      const until = expires_at.slice(0, 10);
      if (link === null) return `Invited ${email} as ${role}. The link works until ${until}.`;
      const advice = `SMTP_URL is not set, so no mail was sent. Pass on this link, which works once, until ${until}:`;
      return { remark: `Invited ${email} as ${role}. ${advice}`, text: link };
    },
    examples: ['backoffice admins invite grace@example.com --role user'],
  }),

  update: change('admins.update', {
    about: "change an admin's e-mail, username or role; a new e-mail or role ends the admin's sessions",
    of: admin,
    params: {
      email: option(email, 'the new e-mail'),
      username: option(username),
      role: option(role, `the new role: ${rolesHelp}`),
    },
    input: (given, { id }) => ({ id, ...given }),
    done: (_answer, { email }) => `Changed ${email}.`,
    examples: ['backoffice admins update grace@example.com --role superadmin'],
  }),

  delete: calling('admins.delete', {
    about: 'delete an admin and end its sessions',
    params: { admin: admin.key, dryRun: flag('only show which admin would be deleted'), yes },
    examples: ['backoffice admins delete grace@example.com --dry-run'],
    async run({ given, format, access }) {
      const { id, email, role } = await findRow(admin, access, given.admin);
      const what = `${role} ${email} (${id})`;
      if (given.dryRun)
        return await emit({ id, email, role }, format, undefined, () => print(`Would delete ${what}.`));
      await confirm(`Delete ${what}?`, given.yes);
      await emitDone(await access.call('admins.delete', { id }), format, `Deleted ${email}.`);
    },
  }),

  activate: change('admins.changeActivity', {
    about: 'allow an admin to sign in again',
    of: admin,
    input: (_given, { id }) => ({ id, is_active: 1 }),
    done: (_answer, { email }) => `Activated ${email}.`,
    examples: ['backoffice admins activate grace@example.com'],
  }),

  deactivate: change('admins.changeActivity', {
    about: 'prevent an admin from signing in, and end its sessions',
    of: admin,
    input: (_given, { id }) => ({ id, is_active: 0 }),
    ask: ({ role, email }) => `Deactivate ${role} ${email}?`,
    done: (_answer, { email }) => `Deactivated ${email}.`,
    examples: ['backoffice admins deactivate grace@example.com'],
  }),

  'reset-password': calling('admins.update', {
    about:
      'set a new password for an admin, and end its sessions; prompts for it, or reads it from standard input',
    params: { admin: admin.key, passwordStdin },
    examples: ['pass show grace | backoffice admins reset-password grace@example.com --password-stdin'],
    async run({ given, format, access }) {
      const { id, email } = await findRow(admin, access, given.admin);
      const password = await readPassword(given.passwordStdin);
      const done = await access.call('admins.update', { id, password });
      await emitDone(done, format, `Set a new password for ${email}.`);
      await warnOfWeakPassword(password, email);
    },
  }),

  'reset-link': verb({
    about: 'print a link with which an admin sets a new password',
    params: { admin: admin.key },
    notes: 'The link works once, for 30 minutes. The admin gets a notice by mail.',
    examples: ['backoffice admins reset-link grace@example.com'],
    async run({ given, format, command }) {
      const { withServices } = await import('../access/database.ts');
      const { localAccess, operatorName } = await import('../access/local.ts');
      const { createResetLink } = await import('../../src/services/sign-in/password-resets.ts');
      const { link, email } = await withServices(command, async (services) => {
        const found = await findRow(admin, localAccess(services), given.admin);
        return { link: await createResetLink(services, found, operatorName()), email: found.email };
      });
      const advice = `Pass on this link to ${email}. It works once, for 30 minutes:`;
      await emitDone({ link }, format, { remark: advice, text: link });
    },
  }),

  factors: table('factors.listOfAdmin', {
    about: 'list the second factors of an admin',
    params: { admin: admin.key },
    rows: listIn('factors.listOfAdmin', 'factors'),
    columns: factorColumns,
    examples: ['backoffice admins factors grace@example.com'],
    async read({ given, access }) {
      const { id, email } = await findRow(admin, access, given.admin);
      const document = await access.call('factors.listOfAdmin', { id });
      const below = `${counted(document.recovery_codes_left, 'recovery code')} left.`;
      return { document, none: `${email} has no second factor.`, below };
    },
  }),

  'reset-factors': change('factors.reset', {
    about: 'remove all second factors and recovery codes of an admin who has lost them, and end its sessions',
    of: admin,
    input: (_given, { id }) => ({ id }),
    async ask({ id, email, role }, _given, access) {
      const { factors } = await access.call('factors.listOfAdmin', { id });
      const what = counted(factors.length, 'second factor');
      return `Remove ${what} of ${role} ${email}? The password alone signs in then.`;
    },
    done: ({ removed }, { email }) => `Removed ${counted(removed, 'second factor')} of ${email}.`,
    examples: ['backoffice admins reset-factors grace@example.com'],
  }),
});
