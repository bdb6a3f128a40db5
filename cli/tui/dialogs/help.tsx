import { cellsOf, fit } from '../../terminal/cells.ts';
import { createScroll, Scrolled } from '../components/scrolled.tsx';
import { showLine } from '../components/text-field.ts';
import { type ActionId, actions } from '../keys/actions.ts';
import { type Keymap, keyName } from '../keys/keymap.ts';
import { chains, type Scope, scopeOf, scopeTitles } from '../keys/scopes.ts';
import { moveList } from '../list/move.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import { type Edit, edit, emptyInput, insert, type TextInput } from '../text/edit.ts';
import { theme } from '../theme.ts';

/** Longer lists of keys, from keys.json, are cut. */
const maxKeyCells = 28;

/** Returns the keys of the scopes, each scope under its title. */
export function helpLines(
  keymap: Keymap,
  scopes: readonly Scope[],
  isOffered: (id: ActionId) => boolean = () => true,
): string[] {
  const namesOf = (id: ActionId) => keymap.keysOf(id).map(keyName).join('  ');
  const cells = Math.min(maxKeyCells, Math.max(...actions.map(({ id }) => cellsOf(namesOf(id)))));
  const offered = actions.filter(({ id }) => isOffered(id));
  return scopes.flatMap((scope) => {
    const lines = offered
      .filter(({ id }) => scopeOf(id) === scope)
      .map(({ id, title }) => `  ${theme.strong(fit(namesOf(id), cells))}  ${title}`);
    return lines.length === 0 ? [] : [theme.title(scopeTitles[scope]), ...lines, ''];
  });
}

/** Returns why some actions are not offered, each sentence once. */
function refusalLines(app: App): string[] {
  const refusals = new Set(actions.flatMap(({ id }) => app.refusalOf(id) ?? []));
  return refusals.size === 0
    ? []
    : [theme.title('Not available'), ...[...refusals].map((each) => `  ${each}`), ''];
}

/** Returns a function that reports whether an action has all words in its title, the title of its scope, or its keys. */
function matcher(keymap: Keymap, words: string): (id: ActionId) => boolean {
  const wanted = words.toLowerCase().trim().split(/\s+/);
  return (id) => {
    const keys = keymap.keysOf(id).flatMap((key) => [key, keyName(key)]);
    const title = actions.find((action) => action.id === id)?.title ?? '';
    const text = [scopeTitles[scopeOf(id)], title, ...keys].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** Lists the keys that were active when it was opened, then all others. */
export function helpDialog(app: App): Dialog {
  const isOffered = (id: ActionId) => app.refusalOf(id) === undefined;
  const here: readonly Scope[] = chains[app.layer().chain()];
  const others = (Object.keys(scopeTitles) as Scope[]).filter((scope) => !here.includes(scope));
  const all = [
    ...helpLines(app.keymap, here, isOffered),
    ...refusalLines(app),
    theme.quiet('── other keys ──'),
    '',
    ...helpLines(app.keymap, others, isOffered).slice(0, -1),
  ];
  const store = createStore({ input: emptyInput });
  const found = (words: string) => {
    const matches = matcher(app.keymap, words);
    return helpLines(app.keymap, [...here, ...others], (id) => isOffered(id) && matches(id));
  };
  const put = (input: TextInput) => {
    store.set({ input });
    scroll.toFirst();
  };
  const scroll = createScroll();
  const dialog: Dialog = {
    title: () => 'Keys',
    chain: () => 'help',
    rows: () => Number.POSITIVE_INFINITY,
    write(text) {
      const { input } = store.get();
      if (text === '?' && input.text === '') return app.close(dialog);
      put(insert(input, text, 'one line'));
    },
    perform(action) {
      const { input } = store.get();
      if (action === 'help.close') app.close(dialog);
      else if (action === 'everywhere.back') {
        if (input.text === '') app.close(dialog);
        else put(emptyInput);
      } else if (action.startsWith('text.')) put(edit(input, action.slice(5) as Edit));
      else moveList(scroll, action.replace('help.', 'list.'));
    },
    View: ({ width, height }: Size) => {
      const { input } = useStore(store);
      const lines = input.text.trim() === '' ? all : found(input.text);
      // On a wide terminal, the list continues in a second column.
      const columns = width >= 130 ? 2 : 1;
      const perColumn = Math.ceil(lines.length / columns);
      const half = Math.floor(width / columns) - 2;
      const rows = lines.slice(0, perColumn).map((line, at) => {
        const other = columns === 2 ? (lines[at + perColumn] ?? '') : '';
        return `  ${line}${' '.repeat(Math.max(1, half - cellsOf(line)))}${other}`.trimEnd();
      });
      const hint = 'The keys for here come first. Type to search. Esc closes.';
      const none = lines.length === 0 ? theme.quiet('  Nothing matches.') : '';
      const head = input.text === '' ? theme.quiet(`  ${hint}`) : `  / ${showLine(input, 30)}${none}`;
      return <Scrolled scroll={scroll} head={head} lines={rows} width={width} height={height} />;
    },
  };
  return dialog;
}
