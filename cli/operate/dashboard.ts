import { dirname, join } from 'node:path';
import { namedTarget } from '../access/named-target.ts';
import { withAccess } from '../access/with-access.ts';
import { UsageError } from '../errors.ts';
import { hasScreen, hasTerminal } from '../terminal/terminal.ts';
import type { NotifyMode } from '../tui/refresh/notifier.ts';
import type { ThemeName } from '../tui/theme.ts';
import { flag, text, word } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

/** The theme named auto follows the background of the terminal. Not from the dashboard's own list, which loads it. */
const themes: readonly ThemeName[] = ['auto', 'dark', 'light', 'high-contrast'];

const notifyModes: readonly NotifyMode[] = ['off', 'bell', 'desktop'];

const noTerminal =
  'The dashboard needs a terminal. Run it in one, or use the other commands (backoffice --help).';
const dumbTerminal =
  'The dashboard needs a terminal that can move its cursor, and TERM is dumb. Use the other commands (backoffice --help).';

/** Opens the dashboard, as `backoffice` without arguments does on a terminal. */
export const dashboard = verb({
  params: {
    readOnly: flag('prevent all changes'),
    keys: {
      ...text('a file of key bindings; by default, keys.json in the configuration directory', 'file'),
      source: 'files',
    },
    theme: word('the colours; by default, those chosen last, or auto', themes),
    notify: {
      ...word(
        'notify about new Critical issues and messages of visitors; by default, as chosen last, or off',
        notifyModes,
      ),
      term: 'how',
    },
    view: text(
      'the view of the issues that opens first; by default, the one chosen with *, or Unsettled',
      'name',
    ),
    noMouse: flag('leave the mouse to the terminal'),
  },
  operations: [],
  output: 'nothing',
  notes:
    '`backoffice` without arguments opens it too on a terminal. Press ? to see the keys, and : to run an action by its name.\n' +
    'The file of key bindings is a JSON object of actions and keys: {"issues.status": "c", "global.quit": ["Q", "ctrl+q"]}.',
  examples: [
    'backoffice dashboard',
    'backoffice dashboard --view "My criticals"',
    'backoffice dashboard --read-only --server https://backoffice.example.com',
  ],
  async run({ given: { readOnly, keys, theme, notify, view, noMouse }, command }) {
    if (!hasScreen()) throw new UsageError(hasTerminal() ? dumbTerminal : noTerminal);
    const { readConfig } = await import('../../src/config.ts');
    const config = readConfig();
    const { readKeymap } = await import('../tui/keys/remap.ts');
    const keymap = await readKeymap(keys ?? config.keysFile, { isOptional: keys === undefined });
    const { openPreferences } = await import('../tui/preferences.ts');
    const preferences = await openPreferences(config.preferencesFile);
    const { startView: findView } = await import('../tui/screens/views/view-store.ts');
    const { issueViews } = await import('../tui/screens/issues/views.ts');
    const startView = findView(preferences.get(), issueViews, view);
    await withAccess(
      command,
      async (access) => {
        const { openWorkplaces } = await import('../tui/workplaces.ts');
        const { first, ...workplaces } = await openWorkplaces(access, namedTarget(command), config);
        const { runDashboard } = await import('../tui/run.tsx');
        await runDashboard(first, {
          keymap,
          readOnly: readOnly === true,
          workplaces,
          keepFolder: join(dirname(config.keysFile), 'kept-texts'),
          preferences,
          theme,
          notify,
          startView,
          hasMouse: !noMouse && preferences.get().mouse !== false,
        });
      },
      'tui',
    );
  },
});
