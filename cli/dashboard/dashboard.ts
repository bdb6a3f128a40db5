import { UsageError } from '../errors.ts';
import type { App } from './app/app.ts';
import { type AppOptions, createApp } from './app/create-app.ts';
import { type Keyboard, keyMistake } from './app/keys.ts';
import type { Screen } from './app/types.ts';
import { confirmDialog } from './dialogs/confirm.ts';
import { filterDialog } from './dialogs/filter.ts';
import { formDialog } from './dialogs/form.ts';
import { menuDialog } from './dialogs/menu.ts';
import { adminsScreen } from './screens/admins.ts';
import { auditScreen } from './screens/audit.ts';
import { chartsScreen } from './screens/charts.ts';
import { type Around, commonActions } from './screens/common.ts';
import { conversationsScreen } from './screens/conversations.ts';
import { issuesScreen } from './screens/issues.ts';
import { overviewScreen } from './screens/overview.ts';
import { settingsScreen } from './screens/settings.ts';
import { usageScreen } from './screens/usage.ts';

export interface DashboardOptions extends Omit<AppOptions, 'first' | 'makeScreens' | 'makeCommon'> {
  /** The view of the issues that opens first, if it is not the one of the preferences. */
  readonly view?: string | undefined;
  /** The file of `ownKeys`, for errors. */
  readonly keysFile?: string;
}

/** Creates every screen, in the order of their numbers. */
const screensOf = (app: App, view: string | undefined): readonly Screen[] => [
  overviewScreen(app),
  issuesScreen(app, view),
  chartsScreen(app),
  conversationsScreen(app),
  settingsScreen(app),
  adminsScreen(app),
  usageScreen(app),
  auditScreen(app),
];

/**
 * Creates the dashboard without its drawing.
 *
 * @throws UsageError about the first mistake in somebody's own keys
 */
export function createDashboard(
  { view, keysFile = 'keys.json', ...options }: DashboardOptions,
  around: Around,
): App {
  const app = createApp({
    ...options,
    first: 'issues',
    makeScreens: (made) => screensOf(made, view),
    makeCommon: (made) => commonActions(made, around),
  });
  const mistake = keyMistake(options.ownKeys ?? {}, keyboardsOf(app));
  if (mistake !== undefined) throw new UsageError(`${keysFile}: ${mistake}`);
  return app;
}

/** Returns all that gets keys: the screens, and a dialog of each kind. */
export function keyboardsOf(app: App): readonly Keyboard[] {
  const common = app.common();
  const everywhere = common.filter((action) => action.everywhere);
  const field = (kind: 'line' | 'text' | 'choice') => ({ name: kind, label: kind, kind });
  const fields = [field('line'), field('text'), field('choice')];
  const nothing = () => {};
  const form = { name: '', title: '', fields, save: async () => {} };
  const filter = { text: '', note: '', history: [], show: () => undefined, keep: nothing, cancel: nothing };
  const menu = { title: '', find: () => [], text: String, take: nothing };
  const dialogs = {
    'A list to choose from': menuDialog(app, menu),
    'A list to search': menuDialog(app, { ...menu, placeholder: ' ' }),
    'A filter': filterDialog(app, filter),
    'A question': confirmDialog(app, '', nothing),
    ...Object.fromEntries(
      fields.map((each) => [
        `A form, in a ${each.name}`,
        formDialog(app, { ...form, fields: [each, ...fields] }),
      ]),
    ),
  };
  return [
    ...app.allScreens().flatMap(({ title, actions, inDialogs, keyboards = [{ title: '', actions }] }) => [
      ...keyboards.map((tab) => ({
        title: tab.title === '' ? title : `${title}: ${tab.title}`,
        actions: [...tab.actions(), ...common],
        isText: false,
      })),
      // One dialog is open at a time.
      ...[...Map.groupBy(inDialogs, ({ id }) => id.split('.')[0])].map(([dialog, actions]) => ({
        title: `${title}: ${dialog}`,
        actions,
        isText: false,
      })),
    ]),
    ...Object.entries(dialogs).map(([title, dialog]) => ({
      title,
      actions: [...dialog.actions(), ...everywhere],
      isText: dialog.write !== undefined,
    })),
  ];
}
