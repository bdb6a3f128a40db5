import { fit } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import type { ActionId } from '../keys/actions.ts';
import { keyName } from '../keys/keymap.ts';
import { moveList } from '../list/move.ts';
import type { Dialog, Size } from '../screen-types.ts';
import { createStore, useStore } from '../store.ts';
import { type Paint, theme } from '../theme.ts';

export interface Choice {
  readonly title: string;
  readonly options: readonly string[];
  /** What it is now. */
  readonly current: string;
  readonly paint?: (option: string) => Paint;
  readonly take: (option: string) => Promise<void> | void;
}

/** The actions that go to an option, each by its place. Options beyond these have no key of their own. */
const places: readonly ActionId[] = ['choice.first', 'choice.second', 'choice.third', 'choice.fourth'];

/** One of a few. A number goes to its option, and nothing is taken before it is said so. */
export function choiceDialog(app: App, { title, options, current, paint, take }: Choice): Dialog {
  const store = createStore({ index: Math.max(0, options.indexOf(current)) });
  const put = (index: number) => store.set({ index: Math.max(0, Math.min(index, options.length - 1)) });
  const takeIt = () => {
    const option = options[store.get().index];
    if (option === undefined) return;
    app.close(dialog);
    void app.attempt(async () => take(option));
  };
  const keyAt = (index: number) => {
    const place = places[index];
    return keyName((place === undefined ? undefined : app.keymap.keysOf(place)[0]) ?? ' ');
  };
  const dialog: Dialog = {
    title: () => title,
    chain: () => 'choice',
    rows: () => options.length,
    perform(action) {
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'choice.take') return takeIt();
      const place = places.indexOf(action);
      if (place !== -1 && place < options.length) return put(place);
      const moves = {
        pageRows: options.length,
        move: (by: number) => put(store.get().index + by),
        toFirst: () => put(0),
        toLast: () => put(options.length - 1),
      };
      moveList(moves, action);
    },
    View: ({ width, height }: Size) => {
      const { index } = useStore(store);
      const lines = options.map((option, at) => {
        const text = `${at === index ? '❯' : ' '} ${keyAt(at)}  ${option}${option === current ? '  (now)' : ''}`;
        if (at === index) return `  ${theme.selected(fit(text, Math.min(40, width - 4)))}`;
        return `  ${paint === undefined ? text : text.replace(option, paint(option)(option))}`;
      });
      return <Lines lines={lines} height={height} />;
    },
  };
  return dialog;
}
