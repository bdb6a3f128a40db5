import { dirname, join } from 'node:path';
import { namedTarget } from '../access/access.ts';
import { withAccess } from '../access/with-access.ts';
import type { NotifyMode } from '../dashboard/app/bell.ts';
import type { Theme } from '../dashboard/draw/style.ts';
import { UsageError } from '../errors.ts';
import { hasScreen, hasTerminal } from '../terminal/terminal.ts';
import { flag, text, word } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

// Not from the files of the dashboard, which would slow down `--help`.
const themes: readonly Theme[] = ['dark', 'light'];
const notifyModes: readonly NotifyMode[] = ['off', 'bell'];

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
    theme: word('the background of the terminal; by default, as chosen last, or as COLORFGBG says', themes),
    notify: {
      ...word(
        'notify about new Critical issues and visitor messages; by default, as chosen last, or off',
        notifyModes,
      ),
      term: 'how',
    },
    view: text(
      'the view of the issues that opens first; by default, the one chosen with *, or Unresolved',
      'name',
    ),
  },
  output: 'nothing',
  notes:
    '`backoffice` without arguments opens it too on a terminal. Press ? to see the keys, and : to run an action by its name.\n' +
    'The file of key bindings is a JSON object of actions and keys: {"row.status": "T", "quit": ["Q", "ctrl+q"]}.',
  examples: [
    'backoffice dashboard',
    'backoffice dashboard --view "My criticals"',
    'backoffice dashboard --read-only --server https://backoffice.example.com',
  ],
  async run({ given: { readOnly = false, keys, theme, notify, view }, command }) {
    if (!hasScreen()) throw new UsageError(hasTerminal() ? dumbTerminal : noTerminal);
    const { readConfig } = await import('../../src/config.ts');
    const config = readConfig();
    const { openPreferences } = await import('../dashboard/app/preferences.ts');
    const preferences = await openPreferences(config.preferencesFile);
    const { readOwnKeys } = await import('../dashboard/app/keys.ts');
    const keysFile = keys ?? config.keysFile;
    const ownKeys = await readOwnKeys(keysFile, { isOptional: keys === undefined });
    await withAccess(
      command,
      async (access) => {
        const { findWorkplace } = await import('../dashboard/app/workplace.ts');
        const workplace = await findWorkplace(access, namedTarget(command), config);
        const { viewStore } = await import('../dashboard/app/view-store.ts');
        const { place, identity } = workplace;
        const owner = identity === null ? undefined : `${place} ${identity.email ?? ''}`.trim();
        const views = viewStore({ access, preferences, place: () => owner, isReadOnly: readOnly });
        // An older server has none, and one that is away is not waited for: then there are those of this machine.
        if (identity !== null) await views.reload().catch(() => {});
        const { runDashboard } = await import('../dashboard/run.tsx');
        await runDashboard(workplace, {
          preferences,
          views,
          ownKeys,
          keysFile,
          theme,
          notify,
          view,
          isReadOnly: readOnly,
          keepFolder: join(dirname(config.keysFile), 'kept-texts'),
        });
      },
      'tui',
    );
  },
});
