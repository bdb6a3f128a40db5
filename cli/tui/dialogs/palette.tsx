import { fit } from '../../output/cells.ts';
import { printable } from '../../output/text.ts';
import { Lines } from '../components/lines.tsx';
import { showLine } from '../components/text-field.ts';
import { type ActionId, actions } from '../keys/actions.ts';
import { actionOf, keyName } from '../keys/keymap.ts';
import { scopeOf, scopeTitles } from '../keys/scopes.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import { type Edit, edit, emptyInput, insert, type TextInput } from '../text/edit.ts';
import { theme } from '../theme.ts';

/** The scopes whose actions work only within a dialog. */
const dialogScopes = [
  'everywhere',
  'help',
  'log',
  'confirm',
  'choice',
  'comments',
  'picker',
  'palette',
  'filter',
  'form',
  'editor',
  'compose',
  'reply',
  'text',
];
const maxRows = 8;

/** Returns the actions whose title, scope or id contains the letters in this order, those of the screen first. */
function matchingActions(text: string, preferred: readonly string[]): ActionId[] {
  const letters = [...text.toLowerCase().replaceAll(' ', '')];
  const rank = (id: ActionId) => {
    const index = preferred.indexOf(scopeOf(id));
    return index === -1 ? preferred.length : index;
  };
  return actions
    .map(({ id }) => id as ActionId)
    .filter((id) => !dialogScopes.includes(scopeOf(id)))
    .filter((id) => {
      const words = `${nameOf(id)} ${id}`.toLowerCase();
      if (words.includes(text.toLowerCase())) return true;
      let at = -1;
      return letters.every((letter) => {
        at = words.indexOf(letter, at + 1);
        return at !== -1;
      });
    })
    .sort((one, other) => exactness(other, text) - exactness(one, text) || rank(one) - rank(other));
}

function exactness(id: ActionId, text: string): number {
  return nameOf(id).toLowerCase().includes(text.toLowerCase()) ? 1 : 0;
}

function nameOf(id: ActionId): string {
  return `${scopeTitles[scopeOf(id)]}: ${actionOf(id).title}`;
}

/** A line of the palette. */
interface Entry {
  readonly name: string;
  /** The keys that do the same. */
  readonly keys: string;
  readonly run: () => void;
}

/** Returns the workplaces for `context staging`, or for a part of a name or an address. */
function contextEntries(app: App, text: string): readonly Entry[] {
  const words = text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return app.workplaces
    .map(({ target, where }) => ({
      name: `Context: ${target} (${where})`,
      keys: '',
      run: () => app.moveTo(target),
    }))
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** Finds and runs an action by name. Offers no actions that are refused. */
export function paletteDialog(app: App): Dialog {
  const chain = app.screens[app.store.get().screen].chain();
  const isConversation = chain === 'thread' || chain === 'conversations';
  const scopes = isConversation ? [chain, 'talk', 'conversations'] : [chain];
  const store = createStore<{ input: TextInput; index: number }>({ input: emptyInput, index: 0 });
  const isOffered = (id: ActionId) => app.refusalOf(id) === undefined;
  const entryOf = (id: ActionId): Entry => ({
    name: nameOf(id),
    keys: app.keymap.keysOf(id).map(keyName).join(' '),
    run: () => app.runAction(id),
  });
  const found = (): readonly Entry[] => {
    const { text } = store.get().input;
    const offered = matchingActions(text, scopes).filter(isOffered);
    return [...contextEntries(app, text), ...offered.map(entryOf)];
  };
  const dialog: Dialog = {
    title: () => 'Commands',
    chain: () => 'palette',
    rows: () => maxRows + 1,
    write: (text) => store.set({ input: insert(store.get().input, text, 'one line'), index: 0 }),
    perform(action) {
      const { input, index } = store.get();
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'palette.run') {
        const chosen = found()[index];
        app.close(dialog);
        chosen?.run();
      } else if (action === 'palette.down') store.set({ index: Math.min(index + 1, found().length - 1) });
      else if (action === 'palette.up') store.set({ index: Math.max(0, index - 1) });
      else if (action.startsWith('text.'))
        store.set({ input: edit(input, action.slice(5) as Edit), index: 0 });
    },
    View: ({ width, height }: Size) => {
      const { input, index } = useStore(store);
      const all = found();
      const room = height - 1;
      const top = Math.max(0, Math.min(index - Math.floor(room / 2), all.length - room));
      const lines = all.slice(top, top + room).map(({ name, keys }, offset) => {
        const line = `${top + offset === index ? '❯' : ' '} ${fit(printable(name), Math.min(60, width - 22))} ${fit(keys, 14)}`;
        return `  ${top + offset === index ? theme.selected(line) : line}`;
      });
      const none = all.length === 0 ? [theme.quiet('    No commands match.')] : [];
      return <Lines lines={[`  : ${showLine(input, width - 6)}`, ...lines, ...none]} height={height} />;
    },
  };
  return dialog;
}
