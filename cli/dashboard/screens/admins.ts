import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { listColumns } from '../../terminal/columns.ts';
import { printable } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import { action, type Screen } from '../app/types.ts';
import { openForm } from '../dialogs/form.ts';
import { pickWord } from '../dialogs/menu.ts';
import { following } from '../list/following.ts';
import { listScreen, rowAction } from '../list/list-screen.ts';
import { type Admin, adminRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { copying } from '../parts/copying.ts';
import { formFields } from '../parts/editing.ts';

const columns = listColumns<Admin>(noun, {
  email: 0,
  username: 3,
  role: 0,
  is_active: 1,
  created_at: 2,
  id: 4,
});

const passwordFields = [
  { name: 'password', label: 'Password', kind: 'secret' },
  { name: 'again', label: 'Password again', kind: 'secret' },
] as const;

function passwordOf({ password = '', again = '' }: Readonly<Record<string, string>>): string {
  if (password !== again) throw new Error('The passwords do not match.');
  return password;
}

export function adminsScreen(app: App): Screen {
  const rows = adminRows(app);
  const on = rowAction(app, rows);
  const asked = asking(app, rows, { noun, columns });
  const done = async (work: Promise<unknown>, sentence: string) => {
    await work;
    app.say(sentence);
    app.refresh();
  };
  const create = () =>
    openForm(app, {
      name: 'new admin',
      title: 'New admin',
      verb: 'create',
      fields: [...formFields(noun, 'create').filter(({ kind }) => kind !== 'secret'), ...passwordFields],
      initial: { role: 'admin' },
      save: ({ email = '', username = '', role = '', ...secrets }) =>
        app.call('admins.create', {
          email,
          role,
          password: passwordOf(secrets),
          ...(username === '' ? {} : { username }),
        }),
      saved: ({ admin }: OutputOf<'admins.create'>) => {
        app.say(`Created ${admin.email}.`);
        return rows.reveal(admin.id);
      },
    });
  const edit = ({ id, email, username }: Admin) =>
    openForm(app, {
      name: `changes of ${email}`,
      title: `Edit ${email}`,
      initial: { email, username },
      fields: formFields(noun, 'edit'),
      async reread() {
        const { admins } = await app.call('admins.list', { q: id, limit: 1 });
        return { email: admins[0]?.email ?? email, username: admins[0]?.username ?? username };
      },
      save(_values, set, seen) {
        const expected = Object.fromEntries(Object.keys(set).map((name) => [name, seen[name]]));
        return done(app.call('admins.update', { id, ...set, expected }), `Saved ${email}.`);
      },
    });
  const setPassword = ({ id, email }: Admin) =>
    openForm(app, {
      name: `password of ${email}`,
      title: `Password of ${email}`,
      fields: passwordFields,
      save: (secrets) =>
        done(
          app.call('admins.update', { id, password: passwordOf(secrets) }),
          `Changed the password of ${email}.`,
        ),
    });
  const changeRole = ({ id, email, role }: Admin) =>
    pickWord(app, `Role of ${email}`, roles, role, (to) =>
      done(app.call('admins.update', { id, role: to, expected: { role } }), `${email} is ${to} now.`),
    );
  const changeActivity = ({ id, email, is_active }: Admin) =>
    app.confirm(is_active ? `Deactivate ${email} and end its sessions?` : `Activate ${email}?`, () =>
      done(
        app.call('admins.changeActivity', { id, is_active: is_active ? 0 : 1 }),
        `${is_active ? 'Deactivated' : 'Activated'} ${email}.`,
      ),
    );
  const remove = ({ id, email, role }: Admin) =>
    app.confirm(`Delete ${role} ${email} (${id})?`, () =>
      done(app.call('admins.delete', { id }), `Deleted ${email}.`),
    );

  const screen = listScreen(
    {
      id: 'admins',
      title: 'Admins',
      columns: asked.columns,
      isDone: ({ is_active }) => is_active === 0,
      reveal: (email) => asked.filter(String(email)),
      async find(text) {
        const { admins } = await app.call('admins.list', { q: text.replace(/^admins? /, ''), limit: 5 });
        return admins.map(({ email, username, role }) => ({
          title: printable(`${username} <${email}> (${role})`),
          run: () => app.visit('admins', email),
        }));
      },
    },
    rows,
    [
      asked,
      following(app, rows, noun),
      copying(app, rows, {
        path: () => pages.admins.path,
        short: ({ email }) => email,
        whole: (admin) =>
          Object.entries(admin)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n'),
      }),
      {
        actions: [
          action(
            'admins.create',
            'n',
            { title: 'Create admins', hint: 'new', calls: 'admins.create' },
            create,
          ),
          on(
            'row.edit',
            'e',
            { title: 'Edit e-mail and username', hint: 'edit', calls: 'admins.update' },
            edit,
          ),
          on(
            'admins.role',
            'r',
            { title: 'Change roles', hint: 'role', calls: ['admins.update', { role: 'user' }] },
            changeRole,
          ),
          on(
            'admins.activity',
            'a',
            { title: 'Activate or deactivate admins', hint: '(de)activate', calls: 'admins.changeActivity' },
            changeActivity,
          ),
          on(
            'admins.password',
            'p',
            { title: 'Set a password', hint: 'password', calls: 'admins.update' },
            setPassword,
          ),
          on('row.delete', ['D', 'delete'], { title: 'Delete admins', calls: 'admins.delete' }, remove),
        ],
      },
    ],
  );
  asked.openView();
  return screen;
}
