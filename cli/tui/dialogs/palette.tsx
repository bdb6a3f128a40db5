import { fit } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { showLine } from '../components/text-field.ts';
import { type ActionId, actions, scopeOf, scopeTitles } from '../keys/actions.ts';
import { actionOf, keyName } from '../keys/keymap.ts';
import type { Dialog, Size } from '../screen-types.ts';
import { createStore, useStore } from '../store.ts';
import { type Draft, type Edit, edit, emptyDraft, insert } from '../text/edit.ts';
import { theme } from '../theme.ts';

/** Scopes whose actions mean something only in their dialog. */
const withinDialogs = [
  'everywhere',
  'help',
  'confirm',
  'choice',
  'palette',
  'filter',
  'form',
  'editor',
  'text',
];
const most = 8;

/** The actions whose title, scope or name has the letters of a text in their order, those of this screen first. */
function matching(text: string, nearest: readonly string[]): ActionId[] {
  const letters = [...text.toLowerCase().replaceAll(' ', '')];
  const rank = (id: ActionId) => {
    const at = nearest.indexOf(scopeOf(id));
    return at === -1 ? nearest.length : at;
  };
  return actions
    .map(({ id }) => id as ActionId)
    .filter((id) => !withinDialogs.includes(scopeOf(id)))
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

/** Every action by its name; where nothing is to be changed, those that change nothing. */
export function paletteDialog(app: App): Dialog {
  const chain = app.screens[app.store.get().screen].chain();
  const isTalk = chain === 'thread' || chain === 'conversations';
  const scope = isTalk ? [chain, 'talk', 'conversations'] : [chain];
  const store = createStore<{ draft: Draft; index: number }>({ draft: emptyDraft, index: 0 });
  const isOffered = (id: ActionId) => !(app.readOnly && actionOf(id).changes === true);
  const found = () => matching(store.get().draft.text, scope).filter(isOffered);
  const dialog: Dialog = {
    title: () => 'Commands',
    chain: () => 'palette',
    rows: () => most + 1,
    write: (text) => store.set({ draft: insert(store.get().draft, text, 'one line'), index: 0 }),
    perform(action) {
      const { draft, index } = store.get();
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'palette.run') {
        const chosen = found()[index];
        app.close(dialog);
        if (chosen !== undefined) app.run(chosen);
      } else if (action === 'palette.down') store.set({ index: Math.min(index + 1, found().length - 1) });
      else if (action === 'palette.up') store.set({ index: Math.max(0, index - 1) });
      else if (action.startsWith('text.'))
        store.set({ draft: edit(draft, action.slice(5) as Edit), index: 0 });
    },
    View: ({ width, height }: Size) => {
      const { draft, index } = useStore(store);
      const all = found();
      const room = height - 1;
      const top = Math.max(0, Math.min(index - Math.floor(room / 2), all.length - room));
      const lines = all.slice(top, top + room).map((id, offset) => {
        const keys = app.keymap.keysOf(id).map(keyName).join(' ');
        const line = `${top + offset === index ? '❯' : ' '} ${fit(nameOf(id), Math.min(60, width - 22))} ${fit(keys, 14)}`;
        return `  ${top + offset === index ? theme.selected(line) : line}`;
      });
      const none = all.length === 0 ? [theme.quiet('    No action is called so.')] : [];
      return <Lines lines={[`  : ${showLine(draft, width - 6)}`, ...lines, ...none]} height={height} />;
    },
  };
  return dialog;
}
