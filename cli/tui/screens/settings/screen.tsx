import { apart, cut } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import { printable } from '../../../output/text.ts';
import type { App } from '../../app.ts';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createForm, type Form } from '../../dialogs/form.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import { createList } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { createStore, useStore } from '../../store.ts';
import { theme } from '../../theme.ts';
import { withSelectedRow } from '../with-selected-row.ts';

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
  const matches = ({ key, value }: Setting) => {
    const wanted = store.get().filter.toLowerCase();
    return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
  };
  const loadSettings = async () => {
    // A section that there is not leaves the analytics out.
    const { settings } = await app.call('settings.show', { section: 'none' });
    return new Map(Object.entries(settings));
  };
  const list = createList<Setting>({
    async load() {
      const rows = [...(await loadSettings())]
        .map(([key, value]) => ({ key, value }))
        .sort((one, other) => (one.key < other.key ? -1 : 1));
      return { rows, nextCursor: null };
    },
    arrange: (rows) => (store.get().filter === '' ? rows : rows.filter(matches)),
    keyOf: ({ key }) => key,
    timeOf: () => 0,
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
      if ((await loadSettings()).has(key)) throw new Error(`There is a setting ${key}: edit that one.`);
      return await write(key, value);
    },
  });
  /** Values that are being edited, by their keys. */
  const editors = new Map<string, Form>();
  const edit = ({ key, value }: Setting) => {
    const begun = editors.get(key);
    if (begun?.hasContent()) return app.open(begun);
    /** What whoever writes knows of: nothing where it was removed meanwhile. */
    let known: string | undefined = value;
    const form = createForm(app, {
      title: () => `Value of ${key}`,
      fields: [{ name: 'value', label: '', kind: 'lines', initial: value }],
      async send({ value: written = '' }) {
        const now = (await loadSettings()).get(key);
        if (now !== known && now !== written) {
          known = now;
          throw new Error(sentenceOfChange(now));
        }
        const look = await write(key, written);
        editors.delete(key);
        return look;
      },
    });
    editors.set(key, form);
    app.open(form);
  };
  const sentenceOfChange = (now: string | undefined) => {
    const again = `${firstKeyOf(app.keymap, 'editor.submit')} again`;
    if (now === undefined) return `It was removed meanwhile: ${again} adds it.`;
    return `It was changed to “${cut(printable(now), 60)}” meanwhile: ${again} overwrites it.`;
  };
  const remove = ({ key }: Setting) =>
    app.confirm(`Remove the setting ${key}?`, async () => {
      await app.call('settings.delete', { key });
      app.say(`Removed ${key}.`);
      await list.refresh();
    });
  const withCurrent = (work: (setting: Setting) => void) =>
    void withSelectedRow(app, list, 'There is no setting here.', work);
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
                ? ['Nothing is set yet.', ...keyHints(app, ['settings.create', 'adds a setting.'])]
                : ['No setting contains that.', ...keyHints(app, ['everywhere.back', 'shows the others.'])]
            }
          />
        </>
      );
    },
  };
}
