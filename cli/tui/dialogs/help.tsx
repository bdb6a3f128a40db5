import { cellsOf, fit } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { type ActionId, actions, chains, type Scope, scopeOf, scopeTitles } from '../keys/actions.ts';
import { type Keymap, keyName } from '../keys/keymap.ts';
import type { Dialog, Size } from '../layer.ts';
import { moveList } from '../list/move.ts';
import { createStore, useStore } from '../store.ts';
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
    ...helpLines(app.keymap, others),
  ];
  const store = createStore({ top: 0 });
  let seen = 10;
  let columns = 1;
  const last = () => Math.max(0, Math.ceil(lines.length / columns) - seen);
  const put = (top: number) => store.set({ top: Math.max(0, Math.min(top, last())) });
  const dialog: Dialog = {
    title: () => 'Keys',
    chain: () => 'help',
    rows: () => Number.POSITIVE_INFINITY,
    perform(action) {
      if (action === 'everywhere.back' || action === 'help.close') return app.close(dialog);
      const move = (by: number) => put(store.get().top + by);
      moveList({ pageRows: seen, move, toFirst: () => put(0), toLast: () => put(last()) }, action);
    },
    View: ({ width, height }: Size) => {
      const { top } = useStore(store);
      seen = height;
      // Two columns where there is room, the second where the first ends.
      columns = width >= 130 ? 2 : 1;
      const perColumn = Math.ceil(lines.length / columns);
      const half = Math.floor(width / columns) - 2;
      const rows = lines.slice(0, perColumn).map((line, at) => {
        const other = columns === 2 ? (lines[at + perColumn] ?? '') : '';
        return `  ${line}${' '.repeat(Math.max(1, half - cellsOf(line)))}${other}`.trimEnd();
      });
      return <Lines lines={rows.slice(top, top + height)} height={height} />;
    },
  };
  return dialog;
}
