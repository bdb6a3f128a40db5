import type { OutputOf } from '../../../../src/contract/registry.ts';
import { roles } from '../../../../src/contract/vocabulary.ts';
import { apart } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import type { App } from '../../app.ts';
import { ageColumn } from '../../components/age-column.ts';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { createForm } from '../../dialogs/form.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import { createList } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Page } from '../../list/source.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { createStore, useStore } from '../../store.ts';
import { theme } from '../../theme.ts';
import { withSelectedRow } from '../with-selected-row.ts';

type Admin = OutputOf<'admins.list'>['admins'][number];

interface AdminsPage extends Page<Admin> {
  readonly pagination: OutputOf<'admins.list'>['pagination'];
}

const perPage = 50;

export function adminsScreen(app: App): Screen {
  const store = createStore({ page: 1, totalPages: 1, total: 0 });
  const list = createList<Admin, AdminsPage>({
    async load() {
      const { admins, pagination } = await app.call('admins.list', {
        page: store.get().page,
        limit: perPage,
      });
      return { rows: admins, nextCursor: null, pagination };
    },
    taken({ pagination: { total, totalPages } }) {
      store.set({ total, totalPages: Math.max(1, totalPages) });
    },
    keyOf: ({ id }) => id,
    timeOf: () => 0,
    explain: app.explain,
    now: app.now,
  });
  const turn = (page: number) => {
    if (page < 1 || page > store.get().totalPages) return;
    store.set({ page });
    void list.reload().then(() => list.toFirst());
  };
  const form = createForm(app, {
    title: () => 'Create an admin',
    fields: [
      { name: 'email', label: 'E-mail', kind: 'text', note: 'grace@example.com' },
      { name: 'username', label: 'Username', kind: 'text', note: 'the e-mail up to the @' },
      { name: 'role', label: 'Role', kind: 'choice', options: [...roles].reverse(), initial: 'admin' },
      { name: 'password', label: 'Password', kind: 'secret', note: 'at least 6 characters' },
      { name: 'again', label: 'The same again', kind: 'secret' },
    ],
    async send({ email = '', username = '', role = 'admin', password = '', again }) {
      if (password !== again) throw new Error('The two passwords are not the same.');
      const name = username.trim() === '' ? {} : { username };
      const { admin } = await app.call('admins.create', { email, password, role, ...name });
      app.say(`Created ${admin.role} ${admin.email}.`);
      return async () => {
        // The newest is the last of the last page.
        store.set({ page: Math.floor(store.get().total / perPage) + 1 });
        await list.reload();
        list.toKey(admin.id);
      };
    },
  });
  const passwordForm = ({ id, email }: Admin) =>
    createForm(app, {
      title: () => `New password of ${email}, which signs it out`,
      fields: [
        { name: 'password', label: 'Password', kind: 'secret', note: 'at least 6 characters' },
        { name: 'again', label: 'The same again', kind: 'secret' },
      ],
      async send({ password = '', again }) {
        if (password !== again) throw new Error('The two passwords are not the same.');
        if (password === '') throw new Error('The password must not be empty.');
        await app.call('admins.update', { id, password });
        app.say(`${email} has a new password.`);
      },
    });
  const changeRole = ({ id, email, role }: Admin) =>
    app.open(
      choiceDialog(app, {
        title: `Role of ${email}`,
        options: roles,
        current: role,
        async take(chosen) {
          await app.call('admins.update', { id, role: chosen });
          app.say(`${email} is ${chosen}, and is signed out.`);
          await list.refresh();
        },
      }),
    );
  const setActive = async ({ id, email }: Admin, is_active: 0 | 1) => {
    await app.call('admins.changeActivity', { id, is_active });
    app.say(`${email} is ${is_active === 1 ? 'active' : 'inactive'}.`);
    await list.refresh();
  };
  const actions: Readonly<Record<string, (admin: Admin) => void>> = {
    'admins.role': changeRole,
    'admins.password': (admin) => app.open(passwordForm(admin)),
    'admins.activity': (admin) => {
      if (admin.is_active === 0) return void app.attempt(() => setActive(admin, 1));
      app.confirm(`Deactivate ${admin.role} ${admin.email}? It is signed out.`, () => setActive(admin, 0));
    },
    'admins.delete': (admin) =>
      app.confirm(`Delete ${admin.role} ${admin.email} (${admin.id})?`, async () => {
        await app.call('admins.delete', { id: admin.id });
        app.say(`Deleted ${admin.email}.`);
        await list.refresh();
      }),
  };

  return {
    id: 'admins',
    title: 'Admins',
    chain: () => 'admins',
    minds: (type) => type.startsWith('admin.'),
    refresh: () => list.refresh(),
    unsent: () => (form.hasContent() ? ['The new admin is not saved.'] : []),
    back: () => false,
    perform(action) {
      if (moveList(list, action)) return;
      if (action === 'admins.create') return app.open(form);
      if (action === 'admins.nextPage') return turn(store.get().page + 1);
      if (action === 'admins.previousPage') return turn(store.get().page - 1);
      const work = actions[action];
      if (work !== undefined) void withSelectedRow(app, list, 'There is no admin here.', work);
    },
    View: ({ width, height }: Size) => {
      const { page, totalPages, total } = useStore(store);
      const { now } = useStore(app.store);
      const where = `page ${page} of ${totalPages} `;
      return (
        <>
          <Lines
            lines={[apart(`  ${theme.quiet(counted(total, 'admin'))}`, theme.quiet(where), width)]}
            height={1}
          />
          <Table
            list={list}
            columns={columnsAt(now)}
            keyOf={({ id }) => id}
            width={width}
            height={height - 1}
            empty={['There are no admins yet.', ...keyHints(app, ['admins.create', 'creates one.'])]}
          />
        </>
      );
    },
  };
}

function columnsAt(now: number): readonly TableColumn<Admin>[] {
  return [
    { heading: 'e-mail', value: ({ email }) => email, width: 'rest' },
    { heading: 'username', value: ({ username }) => username, width: 18, dropAs: 2 },
    {
      heading: 'role',
      value: ({ role }) => role,
      width: 10,
      paint: ({ role }) => (role === 'superadmin' ? theme.strong : (text) => text),
    },
    {
      heading: 'active',
      value: ({ is_active }) => (is_active === 1 ? '✓ yes' : '✗ no'),
      width: 6,
      paint: ({ is_active }) => (is_active === 1 ? theme.good : theme.bad),
    },
    ageColumn(({ created_at }) => created_at, now, { heading: 'created', width: 7, dropAs: 1 }),
    { heading: 'id', value: ({ id }) => id, width: 27, dropAs: 3, paint: () => theme.quiet },
  ];
}
