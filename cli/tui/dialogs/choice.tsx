import { fit } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import type { Dialog, Size } from '../layer.ts';
import { moveList } from '../list/list.ts';
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

/** One of a few. A number takes that option at once. */
export function choiceDialog(app: App, { title, options, current, paint, take }: Choice): Dialog {
  const store = createStore({ index: Math.max(0, options.indexOf(current)) });
  const put = (index: number) => store.set({ index: Math.max(0, Math.min(index, options.length - 1)) });
  const takeAt = (index: number) => {
    const option = options[index];
    if (option === undefined) return;
    app.close(dialog);
    void app.attempt(async () => take(option));
  };
  const dialog: Dialog = {
    title: () => title,
    chain: () => 'choice',
    rows: () => options.length,
    write(text) {
      if (/^[1-9]$/.test(text)) takeAt(Number(text) - 1);
    },
    perform(action) {
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'choice.take') return takeAt(store.get().index);
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
        const text = `${at === index ? '❯' : ' '} ${at + 1}  ${option}${option === current ? '  (now)' : ''}`;
        if (at === index) return `  ${theme.selected(fit(text, Math.min(40, width - 4)))}`;
        return `  ${paint === undefined ? text : text.replace(option, paint(option)(option))}`;
      });
      return <Lines lines={lines} height={height} />;
    },
  };
  return dialog;
}
