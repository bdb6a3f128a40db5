import type { Access } from '../access/access.ts';
import { keyName } from '../dashboard/app/keys.ts';
import { memoryPreferences } from '../dashboard/app/preferences.ts';
import type { Action } from '../dashboard/app/types.ts';
import { createDashboard, keyboardsOf } from '../dashboard/dashboard.ts';
import { code, markdownTable, plain } from './markdown.ts';

/** What actions are for, by the beginning of their names, in the order of the page. Others belong to a screen. */
const groups: Readonly<Record<string, string>> = {
  '': 'Everywhere',
  screen: 'Screens',
  move: 'Moving',
  list: 'Lists',
  row: 'The current or the selected rows',
  detail: 'Details',
  form: 'Forms',
  text: 'Text',
  menu: 'Choices',
  filter: 'Filters',
  confirm: 'Questions',
};

/** Renders the keys of the dashboard, with the names that `keys.json` takes. */
export function renderDashboardKeys(): string {
  const nothing = () => {};
  const app = createDashboard(
    {
      access: { call: () => new Promise(nothing), follow: async function* () {} } as unknown as Access,
      target: 'local',
      identity: null,
      isReadOnly: false,
      preferences: memoryPreferences(),
      host: {
        webUrl: '',
        edit: async (text) => text,
        copy: () => false,
        browse: async () => false,
        ring: nothing,
        keep: async () => '',
      },
    },
    { quit: nothing, redraw: nothing, suspend: nothing },
  );
  const actions = keyboardsOf(app).flatMap((keyboard) => keyboard.actions);
  const first = actions.filter(({ id }, at) => actions.findIndex((each) => each.id === id) === at);
  const byGroup = Map.groupBy(first, ({ id }) => id.match(/^(\w+)\./)?.[1] ?? '');
  const names = [...new Set([...Object.keys(groups), ...byGroup.keys()])].filter((name) => byGroup.has(name));
  return markdownTable(
    ['where', 'keys'],
    names.map((name) => [titleOf(name), (byGroup.get(name) ?? []).map(lineOf).join('<br>')]),
  );
}

const titleOf = (group: string) => groups[group] ?? group.charAt(0).toUpperCase() + group.slice(1);

const lineOf = ({ id, keys, title }: Action) =>
  `${keys.map((key) => code(keyName(key).replaceAll('|', '\\|'))).join(' ') || 'no key'} ${plain(title)} (${code(id)})`;
