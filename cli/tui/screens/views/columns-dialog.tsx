import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { moveList } from '../../list/move.ts';
import type { App } from '../../state/app.ts';
import type { Dialog, Size } from '../../state/screen-types.ts';
import { createStore, useStore } from '../../state/store.ts';
import type { MouseEvent } from '../../terminal/mouse.ts';
import { theme } from '../../theme.ts';

/**
 * Shows or hides the columns of a list. Every change shows at once.
 *
 * @param all - the columns that it can have
 * @param start - those that it shows
 */
export function columnsDialog(
  app: App,
  all: readonly string[],
  start: readonly string[],
  onChange: (columns: readonly string[]) => void,
): Dialog {
  // Those that are shown keep their order.
  const offered = [...start, ...all.filter((name) => !start.includes(name))];
  const store = createStore<{ index: number; shown: readonly string[] }>({ index: 0, shown: start });
  const moveTo = (index: number) => store.set({ index: Math.max(0, Math.min(index, offered.length - 1)) });
  const toggle = () => {
    const { index, shown } = store.get();
    const name = offered[index];
    const next = offered.filter((each) => (each === name ? !shown.includes(each) : shown.includes(each)));
    if (next.length === 0) return app.showMessage('A list needs a column.', 'note');
    store.set({ shown: next });
    onChange(next);
  };
  const dialog: Dialog = {
    title: () => 'Columns',
    chain: () => 'columns',
    rows: () => offered.length,
    perform(action) {
      if (action === 'everywhere.back' || action === 'columns.done') return app.close(dialog);
      if (action === 'columns.toggle') return toggle();
      const moves = {
        pageRows: offered.length,
        move: (by: number) => moveTo(store.get().index + by),
        toFirst: () => moveTo(0),
        toLast: () => moveTo(offered.length - 1),
      };
      moveList(moves, action);
    },
    View: ({ height }: Size) => {
      const { index, shown } = useStore(store);
      const top = Math.max(0, Math.min(index - height + 1, offered.length - height));
      const lines = offered.slice(top, top + height).map((name, offset) => {
        const box = shown.includes(name) ? '[x]' : '[ ]';
        const text = `${top + offset === index ? '❯' : ' '} ${box} ${name.padEnd(10)}`;
        return `  ${top + offset === index ? theme.selected(text) : text}`;
      });
      const onMouse = ({ kind, y, lines: turned }: MouseEvent) => {
        if (kind === 'wheel') return moveTo(index + Math.sign(turned));
        if (y >= lines.length) return;
        moveTo(top + y);
        toggle();
      };
      return (
        <Region onMouse={onMouse} height={height}>
          <Lines lines={lines} height={height} />
        </Region>
      );
    },
  };
  return dialog;
}
