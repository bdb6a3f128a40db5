import { type ActionId, actions } from '../keys/actions.ts';
import { actionOf } from '../keys/keymap.ts';
import { scopeOf, scopeTitles } from '../keys/scopes.ts';
import type { App } from '../state/app.ts';

/** The scopes whose actions work only within a dialog. */
const dialogScopes = [
  'everywhere',
  'help',
  'log',
  'confirm',
  'choice',
  'comments',
  'views',
  'columns',
  'picker',
  'palette',
  'filter',
  'form',
  'editor',
  'compose',
  'reply',
  'text',
];

/** Returns the actions whose title, scope or id contains the letters in this order, those of the screen first. */
export function matchingActions(text: string, preferred: readonly string[]): ActionId[] {
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

export function nameOf(id: ActionId): string {
  return `${scopeTitles[scopeOf(id)]}: ${actionOf(id).title}`;
}

/** A line of the palette. */
export interface Entry {
  readonly name: string;
  /** The keys that do the same. */
  readonly keys: string;
  readonly run: () => void;
}

/** Returns the workplaces for `context staging`, or for a part of a name or an address. */
export function contextEntries(app: App, text: string): readonly Entry[] {
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
