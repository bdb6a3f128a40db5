import { fit, wrap } from '../../terminal/cells.ts';
import { Lines } from '../components/lines.tsx';
import { Region } from '../components/region.tsx';
import type { ActionId } from '../keys/actions.ts';
import { keyName } from '../keys/keymap.ts';
import { moveList } from '../list/move.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { type Paint, theme } from '../theme.ts';

export interface ChoiceOptions {
  readonly title: string;
  readonly options: readonly string[];
  /** The option that applies now. */
  readonly current: string;
  /** Returns what to know of an option. It is shown while the option is selected. */
  readonly describe?: (option: string) => string;
  readonly paint?: (option: string) => Paint;
  readonly onChoose: (option: string) => Promise<void> | void;
}

/** The actions that go to the first options. Later options have no key. */
const optionActions: readonly ActionId[] = ['choice.first', 'choice.second', 'choice.third', 'choice.fourth'];

/** Offers a few options. A number key moves to its option; a second key chooses it. */
export function choiceDialog(
  app: App,
  { title, options, current, describe, paint, onChoose }: ChoiceOptions,
): Dialog {
  const store = createStore({ index: Math.max(0, options.indexOf(current)) });
  const moveTo = (index: number) => store.set({ index: Math.max(0, Math.min(index, options.length - 1)) });
  const choose = () => {
    const option = options[store.get().index];
    if (option === undefined) return;
    app.close(dialog);
    void app.attempt(async () => onChoose(option));
  };
  const keyAt = (index: number) => {
    const action = optionActions[index];
    return keyName((action === undefined ? undefined : app.keymap.keysOf(action)[0]) ?? ' ');
  };
  const dialog: Dialog = {
    title: () => title,
    chain: () => 'choice',
    rows: () => options.length + (describe === undefined ? 0 : 3),
    perform(action) {
      if (action === 'everywhere.back') return app.close(dialog);
      if (action === 'choice.take') return choose();
      const target = optionActions.indexOf(action);
      if (target !== -1 && target < options.length) return moveTo(target);
      const moves = {
        pageRows: options.length,
        move: (by: number) => moveTo(store.get().index + by),
        toFirst: () => moveTo(0),
        toLast: () => moveTo(options.length - 1),
      };
      moveList(moves, action);
    },
    View: ({ width, height }: Size) => {
      const { index } = useStore(store);
      const lines = options.map((option, each) => {
        const text = `${each === index ? '❯' : ' '} ${keyAt(each)}  ${option}${option === current ? '  (current)' : ''}`;
        if (each === index) return `  ${theme.selected(fit(text, Math.min(40, width - 4)))}`;
        return `  ${paint === undefined ? text : text.replace(option, paint(option)(option))}`;
      });
      const text = describe?.(options[index] ?? '');
      if (text !== undefined)
        lines.push('', ...wrap(text, width - 4).map((line) => `  ${theme.quiet(line)}`));
      const onMouse = ({ kind, y, lines: turned }: MouseEvent) => {
        if (kind === 'wheel') return moveTo(index + Math.sign(turned));
        if (y >= options.length) return;
        moveTo(y);
        choose();
      };
      return (
        <Region onMouse={onMouse} width={width} height={height}>
          <Lines lines={lines} height={height} />
        </Region>
      );
    },
  };
  return dialog;
}
