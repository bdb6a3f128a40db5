import { cellsOf, fit } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { createScroll, Scrolled } from '../components/scrolled.tsx';
import { type ActionId, actions, chains, type Scope, scopeOf, scopeTitles } from '../keys/actions.ts';
import { type Keymap, keyName } from '../keys/keymap.ts';
import { moveList } from '../list/move.ts';
import type { Dialog, Size } from '../screen-types.ts';
import { theme } from '../theme.ts';

/** Keys that somebody gave an action in such numbers that they need more are cut. */
const widestKeys = 28;

/** The keys of some scopes, each scope below its name. */
export function helpLines(keymap: Keymap, scopes: readonly Scope[]): string[] {
  const namesOf = (id: ActionId) => keymap.keysOf(id).map(keyName).join('  ');
  const cells = Math.min(widestKeys, Math.max(...actions.map(({ id }) => cellsOf(namesOf(id)))));
  return scopes.flatMap((scope) => [
    theme.title(scopeTitles[scope]),
    ...actions
      .filter(({ id }) => scopeOf(id) === scope)
      .map(({ id, title }) => `  ${theme.strong(fit(namesOf(id), cells))}  ${title}`),
    '',
  ]);
}

/** The keys that work where it was opened, then all the others. */
export function helpDialog(app: App): Dialog {
  const here: readonly Scope[] = chains[app.layer().chain()];
  const others = (Object.keys(scopeTitles) as Scope[]).filter((scope) => !here.includes(scope));
  const lines = [
    ...helpLines(app.keymap, here),
    theme.quiet('── elsewhere ──'),
    '',
    ...helpLines(app.keymap, others).slice(0, -1),
  ];
  const scroll = createScroll();
  const dialog: Dialog = {
    title: () => 'Keys',
    chain: () => 'help',
    rows: () => Number.POSITIVE_INFINITY,
    perform(action) {
      if (action === 'everywhere.back' || action === 'help.close') return app.close(dialog);
      moveList(scroll, action);
    },
    View: ({ width, height }: Size) => {
      // Two columns where there is room, the second where the first ends.
      const columns = width >= 130 ? 2 : 1;
      const perColumn = Math.ceil(lines.length / columns);
      const half = Math.floor(width / columns) - 2;
      const rows = lines.slice(0, perColumn).map((line, at) => {
        const other = columns === 2 ? (lines[at + perColumn] ?? '') : '';
        return `  ${line}${' '.repeat(Math.max(1, half - cellsOf(line)))}${other}`.trimEnd();
      });
      const head = theme.quiet('  What works here, then everything else');
      return <Scrolled scroll={scroll} head={head} lines={rows} width={width} height={height} />;
    },
  };
  return dialog;
}
