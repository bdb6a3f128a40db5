import type { OutputOf } from '../../../../src/contract/registry.ts';
import { roleTexts } from '../../../../src/contract/roles.ts';
import { type Role, roles } from '../../../../src/contract/vocabulary.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { draftsOf } from '../../dialogs/drafts.ts';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createList, typingPauseMs } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Page } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { createAdminForm, passwordForm } from './forms.ts';
import type { AdminRow } from './row.ts';
import { adminSubject } from './subject.ts';
import { type AdminsState, adminsView } from './view.tsx';

interface AdminsPage extends Page<AdminRow> {
  readonly pagination: OutputOf<'admins.list'>['pagination'];
}

const rowsPerPage = 50;
const adminsFilterNote = 'e-mail, username or role';
const sortFields = { created: 'created_at', email: 'email', username: 'username' } as const;
const sortActions: Readonly<Record<string, AdminsState['sort']['column']>> = {
  'admins.sortCreated': 'created',
  'admins.sortEmail': 'email',
  'admins.sortUsername': 'username',
};

export function adminsScreen(app: App): Screen {
  const store = createStore<AdminsState>({
    page: 1,
    totalPages: 1,
    total: 0,
    filter: '',
    sort: { column: 'created', isReversed: false },
  });
  const list = createList<AdminRow, AdminsPage>({
    async load() {
      const { page, filter, sort } = store.get();
      const { admins, pagination } = await app.call('admins.list', {
        page,
        limit: rowsPerPage,
        sort: `${sort.isReversed ? '-' : ''}${sortFields[sort.column]}`,
        ...(filter === '' ? {} : { q: filter }),
      });
      return { rows: admins, nextCursor: null, pagination };
    },
    onPage({ pagination: { total, totalPages } }) {
      store.set({ total, totalPages: Math.max(1, totalPages) });
    },
    keyOf: ({ id }) => id,
    timeOf: () => 0,
    explain: app.explain,
    now: app.now,
  });
  const goToPage = (page: number) => {
    if (page < 1 || page > store.get().totalPages) return;
    store.set({ page });
    void list.reload().then(() => list.toFirst());
  };
  const show = (change: Partial<AdminsState>, delayMs = 0) => {
    store.set({ ...change, page: 1 });
    void list.reload(delayMs).then(() => list.toFirst());
  };
  const form = createAdminForm(app, async (id) => {
    // In this order, the newest admin is the last one on the last page.
    if (store.get().filter !== '' || store.get().sort.isReversed || store.get().sort.column !== 'created') {
      store.set({ filter: '', sort: { column: 'created', isReversed: false }, page: 1 });
      await list.reload();
    }
    store.set({ page: Math.floor(store.get().total / rowsPerPage) + 1 });
    await list.reload();
    list.toKey(id);
  });
  const changeRole = ({ id, email, role }: AdminRow) =>
    app.open(
      choiceDialog(app, {
        title: `Role of ${email}`,
        options: roles,
        describe: (chosen) => roleTexts[chosen as Role],
        current: role,
        async onChoose(chosen) {
          await app.call('admins.update', { id, role: chosen, expected: { role } });
          app.showMessage(`${email} is now ${chosen}. Its sessions have ended.`);
          await list.refresh();
        },
      }),
    );
  const setActive = async ({ id, email }: AdminRow, is_active: 0 | 1) => {
    const seen = is_active === 1 ? 0 : 1;
    await app.call('admins.changeActivity', { id, is_active, expected: { is_active: seen } });
    app.showMessage(`${email} is now ${is_active === 1 ? 'active' : 'inactive'}.`);
    await list.refresh();
  };
  const actions: Readonly<Record<string, (admin: AdminRow) => void>> = {
    'admins.role': changeRole,
    'admins.password': (admin) => app.open(passwordForm(app, admin)),
    'admins.activity': (admin) => {
      if (admin.is_active === 0) return void app.attempt(() => setActive(admin, 1));
      const question = `Deactivate ${admin.role} ${admin.email}? This ends its sessions.`;
      app.confirm(question, () => setActive(admin, 0));
    },
    'admins.delete': (admin) =>
      app.confirm(`Delete ${admin.role} ${admin.email} (${admin.id})?`, async () => {
        await app.call('admins.delete', { id: admin.id });
        app.showMessage(`Deleted ${admin.email}.`);
        await list.refresh();
      }),
  };

  return {
    id: 'admins',
    title: 'Admins',
    chain: () => 'admins',
    isAffectedBy: (type) => type.startsWith('admin.'),
    refresh: () => list.refresh(),
    drafts: () => draftsOf(form, 'new admin'),
    back() {
      if (store.get().filter === '') return false;
      show({ filter: '' });
      return true;
    },
    showRecord: (email) => show({ filter: email }),
    subject: () => adminSubject(list.current()),
    perform(action) {
      const { filter, sort } = store.get();
      const column = sortActions[action];
      if (column !== undefined)
        return show({ sort: { column, isReversed: sort.column === column && !sort.isReversed } });
      if (action === 'search.open') {
        const onChange = (text: string) => show({ filter: text }, typingPauseMs);
        return app.open(filterDialog(app, { text: filter, note: adminsFilterNote, onChange }));
      }
      if (moveList(list, action)) return;
      if (action === 'admins.create') return app.open(form);
      if (action === 'admins.nextPage') return goToPage(store.get().page + 1);
      if (action === 'admins.previousPage') return goToPage(store.get().page - 1);
      const work = actions[action];
      if (work !== undefined) void withSelectedRow(app, list, 'No admin selected.', work);
    },
    View: adminsView(app, { store, list }),
  };
}
