import { apart } from '../../output/cells.ts';
import { counted } from '../../output/number.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { Table, type TableColumn } from '../components/table.tsx';
import { filterDialog } from '../dialogs/filter.tsx';
import { createForm, type Form } from '../dialogs/form.tsx';
import type { Screen, Size } from '../layer.ts';
import { createList, moveList } from '../list/list.ts';
import { createStore, useStore } from '../store.ts';
import { theme } from '../theme.ts';

interface Setting {
  readonly key: string;
  readonly value: string;
}

const columns: readonly TableColumn<Setting>[] = [
  { heading: 'key', value: ({ key }) => key, width: 28, paint: () => theme.accent },
  { heading: 'value', value: ({ value }) => value, width: 'rest' },
];

export function settingsScreen(app: App): Screen {
  const store = createStore({ filter: '' });
  let all: readonly Setting[] = [];
  const matches = ({ key, value }: Setting) => {
    const wanted = store.get().filter.toLowerCase();
    return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
  };
  const list = createList<Setting>({
    async load() {
      // A section that there is not leaves the analytics out.
      const { settings } = await app.call('settings.show', { section: 'none' });
      all = Object.entries(settings)
        .map(([key, value]) => ({ key, value }))
        .sort((one, other) => (one.key < other.key ? -1 : 1));
      return { rows: all, nextCursor: null };
    },
    arrange: (rows) => (store.get().filter === '' ? rows : rows.filter(matches)),
    keyOf: ({ key }) => key,
    isBehind: () => false,
    explain: app.explain,
    now: app.now,
  });
  const write = async (key: string, value: string) => {
    await app.call('settings.update', { updates: Object.fromEntries([[key, value]]) });
    app.say(`Set ${key}.`);
    return async () => {
      await list.refresh();
      list.toKey(key);
    };
  };
  const created = createForm(app, {
    title: () => 'Add a setting',
    fields: [
      { name: 'key', label: 'Key', kind: 'text', note: 'site_name' },
      { name: 'value', label: 'Value', kind: 'lines' },
    ],
    async send({ key = '', value = '' }) {
      if (key === '') throw new Error('A setting needs a key.');
      if (all.some((setting) => setting.key === key))
        throw new Error(`There is a setting ${key}: edit that one.`);
      return await write(key, value);
    },
  });
  /** Values that are being edited, by their keys. */
  const editors = new Map<string, Form>();
  const edit = ({ key, value }: Setting) => {
    const known = editors.get(key);
    if (known?.hasContent()) return app.open(known);
    const form = createForm(app, {
      title: () => `Value of ${key}`,
      fields: [{ name: 'value', label: '', kind: 'lines', initial: value }],
      async send({ value: written = '' }) {
        const look = await write(key, written);
        editors.delete(key);
        return look;
      },
    });
    editors.set(key, form);
    app.open(form);
  };
  const remove = ({ key }: Setting) =>
    app.confirm(`Remove the setting ${key}?`, async () => {
      await app.call('settings.delete', { key });
      app.say(`Removed ${key}.`);
      await list.refresh();
    });
  const withCurrent = (work: (setting: Setting) => void) => {
    const setting = list.current();
    if (setting === undefined) app.say('There is no setting here.', 'note');
    else work(setting);
  };
  const narrow = (filter: string) => {
    store.set({ filter });
    list.rearrange();
  };

  return {
    id: 'settings',
    title: 'Settings',
    chain: () => 'settings',
    minds: (type) => type.startsWith('setting.'),
    refresh: () => list.refresh(),
    unsent: () => [
      ...(created.hasContent() ? ['The new setting is not saved.'] : []),
      ...[...editors]
        .filter(([, form]) => form.hasContent())
        .map(([key]) => `The value of ${key} is not saved.`),
    ],
    back() {
      if (store.get().filter === '') return false;
      narrow('');
      return true;
    },
    perform(action) {
      if (moveList(list, action)) return;
      if (action === 'settings.edit') withCurrent(edit);
      else if (action === 'settings.delete') withCurrent(remove);
      else if (action === 'settings.create') app.open(created);
      else if (action === 'search.open') {
        app.open(
          filterDialog(app, { text: store.get().filter, note: 'a part of a key or value', change: narrow }),
        );
      }
    },
    View: ({ width, height }: Size) => {
      const { filter } = useStore(store);
      const { shown } = useStore(list.store);
      const searched = filter === '' ? '' : theme.accent(`/ ${filter} `);
      return (
        <>
          <Lines
            lines={[apart(`  ${theme.quiet(counted(shown.length, 'setting'))}`, searched, width)]}
            height={1}
          />
          <Table
            list={list}
            columns={columns}
            keyOf={({ key }) => key}
            width={width}
            height={height - 1}
            empty={
              filter === ''
                ? ['Nothing is set yet.', 'n adds a setting.']
                : ['No setting contains that.', 'Esc shows the others.']
            }
          />
        </>
      );
    },
  };
}
