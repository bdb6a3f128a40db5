import { knownSetting, refusalToChange } from '../../../../src/contract/known-settings/known-settings.ts';
import { readAllSettings } from '../../../access/settings.ts';
import { describeSetting } from '../../../terminal/describe-setting.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createList } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import { listPosition } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { filterSettings, settingsFilterNote } from './filter.ts';
import { createSettingForm, settingEditors } from './forms.ts';
import type { SettingRow } from './row.ts';
import { settingSubject } from './subject.ts';
import { type SettingsState, settingsView } from './view.tsx';

export function settingsScreen(app: App): Screen {
  const store = createStore<SettingsState>({ filter: '' });
  const load = async (): Promise<ReadonlyMap<string, SettingRow>> => {
    const { settings, secrets } = await readAllSettings(app);
    const readable = Object.entries(settings).map(([key, value]) => ({ key, value, isSecret: false }));
    const others = [...secrets].map((key) => ({ key, value: '', isSecret: true }));
    return new Map([...readable, ...others].map((row) => [row.key, row]));
  };
  const list = createList<SettingRow>({
    async load() {
      const rows = [...(await load()).values()].sort((one, other) => (one.key < other.key ? -1 : 1));
      return { rows, nextCursor: null };
    },
    arrange: (rows) => filterSettings(rows, store.get().filter),
    keyOf: ({ key }) => key,
    timeOf: () => 0,
    explain: app.explain,
    now: app.now,
  });
  const save = async (key: string, value: string, seen: SettingRow | undefined, isInvalid: boolean) => {
    await app.call('settings.update', {
      updates: Object.fromEntries([[key, value]]),
      ...(seen?.isSecret ? {} : { expected: Object.fromEntries([[key, seen?.value ?? null]]) }),
      check: !isInvalid,
    });
    const meaning =
      knownSetting(key) === undefined
        ? ''
        : ` ${describeSetting(key, (await readAllSettings(app)).settings)}`;
    app.showMessage(`Saved ${key}.${meaning}`);
    return async () => {
      await list.refresh();
      list.toKey(key);
    };
  };
  const refusalOf = (key: string) => {
    const role = app.store.get().identity?.role;
    // Who has a role here has a token, for which the strict rules hold.
    return role && refusalToChange(role, key, true);
  };
  const rowRefusal = () => {
    const current = list.current();
    return current && refusalOf(current.key);
  };
  const createForm = createSettingForm(app, { load, save, refusalOf });
  const editors = settingEditors(app, { load, save });
  const remove = ({ key }: SettingRow) =>
    app.confirm(`Delete the setting ${key}?`, async () => {
      await app.call('settings.delete', { key });
      app.showMessage(`Deleted ${key}.`);
      await list.refresh();
    });
  const withCurrent = (work: (setting: SettingRow) => void) =>
    void withSelectedRow(app, list, 'No setting selected.', work);
  const setFilter = (filter: string) => {
    store.set({ filter });
    list.rearrange();
  };

  return {
    id: 'settings',
    title: 'Settings',
    position: listPosition(list),
    chain: () => 'settings',
    isAffectedBy: (type) => /^settings?\./.test(type),
    refresh: () => list.refresh(),
    drafts: () => [...draftsOf(createForm, 'new setting'), ...editors.drafts()],
    showRecord(key) {
      setFilter('');
      void list.refresh().then(() => list.toKey(key));
    },
    subject: () => settingSubject(list.current()),
    rowRefusal,
    back() {
      if (store.get().filter === '') return false;
      setFilter('');
      return true;
    },
    perform(action) {
      if (moveList(list, action)) return;
      if (action === 'settings.edit') return withCurrent((setting) => editors.open(setting));
      if (action === 'settings.external') return withCurrent((setting) => editors.open(setting, true));
      if (action === 'settings.delete') return withCurrent(remove);
      if (action === 'settings.create') return app.open(createForm);
      if (action === 'search.open') {
        const { filter } = store.get();
        app.open(filterDialog(app, { text: filter, note: settingsFilterNote, onChange: setFilter }));
      }
    },
    View: settingsView(app, { store, list, rowRefusal }),
  };
}
