import { fit } from '../../output/cells.ts';
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

/** Finds and runs an action by name. If the dashboard is read-only, offers no actions that change data. */
export function paletteDialog(app: App): Dialog {
  const chain = app.screens[app.store.get().screen].chain();
  const isConversation = chain === 'thread' || chain === 'conversations';
  const scopes = isConversation ? [chain, 'talk', 'conversations'] : [chain];
  const store = createStore<{ input: TextInput; index: number }>({ input: emptyInput, index: 0 });
  const isOffered = (id: ActionId) => !(app.readOnly && actionOf(id).changes === true);
  const found = () => matchingActions(store.get().input.text, scopes).filter(isOffered);
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
        if (chosen !== undefined) app.runAction(chosen);
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
      const lines = all.slice(top, top + room).map((id, offset) => {
        const keys = app.keymap.keysOf(id).map(keyName).join(' ');
        const line = `${top + offset === index ? '❯' : ' '} ${fit(nameOf(id), Math.min(60, width - 22))} ${fit(keys, 14)}`;
        return `  ${top + offset === index ? theme.selected(line) : line}`;
      });
      const none = all.length === 0 ? [theme.quiet('    No commands match.')] : [];
      return <Lines lines={[`  : ${showLine(input, width - 6)}`, ...lines, ...none]} height={height} />;
    },
  };
  return dialog;
}
