import type { Stroke } from '../terminal/strokes.ts';
import type { Action, Layer } from './types.ts';

export interface Presses {
  press(stroke: Stroke): void;
  /** The strokes of a key that is not complete, such as `S`; empty if none is. */
  pending(): string;
}

interface Around {
  top(): Layer;
  /** The actions that keys reach now, the most specific first. */
  actions(): readonly Action[];
  keysOf(action: Action): readonly string[];
  perform(action: Action): void;
}

/** Turns keys into actions and text. */
export function presses({ top, actions, keysOf, perform }: Around): Presses {
  let before = '';
  const press = (stroke: Stroke): void => {
    const layer = top();
    const strokes = before === '' ? stroke.key : `${before} ${stroke.key}`;
    const wasPending = before !== '';
    before = '';
    const all = actions();
    const action = all.find((each) => keysOf(each).includes(strokes));
    if (all.some((each) => keysOf(each).some((key) => key.startsWith(`${strokes} `)))) before = strokes;
    else if (wasPending && action !== undefined) perform(action);
    // A character that completes nothing is dropped; Ctrl-C or Esc still does what it says.
    else if (wasPending) stroke.text === undefined && press(stroke);
    else if (layer.write !== undefined && stroke.text !== undefined) layer.write(stroke.text);
    else if (action !== undefined) perform(action);
    // Esc and a key that arrive together look like Alt and that key. Within a text it is no reason to leave.
    else if (stroke.key.startsWith('alt+') && layer.write === undefined) {
      press({ key: 'esc' });
      const key = stroke.key.slice('alt+'.length);
      press(key.length === 1 ? { key, text: key } : { key });
    }
  };
  return { press, pending: () => before };
}
