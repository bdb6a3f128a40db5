import type { ActionId } from './keys/actions.ts';
import { chains } from './keys/scopes.ts';
import type { Stroke } from './keys/strokes.ts';
import type { App } from './state/app.ts';

/** Handles a key for the layer that receives it: performs its action, or writes its character. */
export function pressKey(app: App, stroke: Stroke, perform: (action: ActionId) => void): void {
  const layer = app.layer();
  const before = app.store.get().strokes;
  const strokes = before === '' ? stroke.key : `${before} ${stroke.key}`;
  if (before !== '') app.store.set({ strokes: '' });
  if (app.keymap.isPrefix(layer.chain(), strokes)) {
    app.store.set({ strokes });
    return;
  }
  const action = app.keymap.find(layer.chain(), strokes);
  // A key that completes nothing is dropped, as in other programs.
  if (before !== '') {
    if (action !== undefined) perform(action);
    return;
  }
  // In a text field a character is text, even if it has an action elsewhere.
  const isText = action === undefined || (chains[layer.chain()] as readonly string[]).includes('text');
  if (layer.write !== undefined && stroke.text !== undefined && isText) layer.write(stroke.text);
  else if (action !== undefined) perform(action);
  else if (stroke.key.startsWith('alt+')) {
    // Esc and a key that arrive together look like Alt and that key, and this Alt key has no action.
    const key = stroke.key.slice('alt+'.length);
    perform('everywhere.back');
    app.press(key.length === 1 ? { key, text: key } : { key });
  }
}
