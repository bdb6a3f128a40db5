import type { App } from './app.ts';
import { type ActionId, chains } from './keys/actions.ts';
import type { Stroke } from './keys/strokes.ts';

/** Does what a key means where it was pressed: an action, or a character of what is being written. */
export function pressKey(app: App, stroke: Stroke, perform: (action: ActionId) => void): void {
  const layer = app.layer();
  const action = app.keymap.find(layer.chain(), stroke.key);
  // Where a text is written, a character is one, whatever it does elsewhere.
  const isWritten = action === undefined || (chains[layer.chain()] as readonly string[]).includes('text');
  if (layer.write !== undefined && stroke.text !== undefined && isWritten) layer.write(stroke.text);
  else if (action !== undefined) perform(action);
  else if (stroke.key.startsWith('alt+')) {
    // Esc and a key that came in one piece look like Alt and that key, which means nothing here.
    const key = stroke.key.slice('alt+'.length);
    perform('everywhere.back');
    app.press(key.length === 1 ? { key, text: key } : { key });
  }
}
