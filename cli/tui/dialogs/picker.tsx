import { wait } from '../../../src/shared/waiting.ts';
import { cut, fit } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { Lines } from '../components/lines.tsx';
import { Region } from '../components/region.tsx';
import { showLine, showNote } from '../components/text-field.ts';
import { typingPauseMs } from '../list/list.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../text/edit.ts';
import { theme } from '../theme.ts';

export interface PickerItem {
  readonly name: string;
  /** What else tells it apart from the others. */
  readonly about?: string;
}

export interface PickerOptions<Item extends PickerItem> {
  readonly title: string;
  /** The placeholder: what can be typed. */
  readonly note: string;
  /** `find` asks the service, so it waits for a pause in the typing. */
  readonly isRemote?: boolean;
  /** Finds the items for a text, first for the empty one. */
  readonly find: (text: string) => readonly Item[] | Promise<readonly Item[]>;
  readonly onChoose: (item: Item) => Promise<void> | void;
  /** Receives the text if nothing is chosen. */
  readonly onCancel?: (text: string) => void;
  /** Shown if there are no items at all. */
  readonly empty?: string;
}

interface PickerState<Item> {
  readonly input: TextInput;
  readonly found: readonly Item[];
  readonly index: number;
  /** The items of the text are not there yet. */
  readonly isLoading: boolean;
  readonly error: string;
}

const maxRows = 8;
const maxNameCells = 40;

/** Chooses one of many things, which typing narrows down. */
export function pickerDialog<Item extends PickerItem>(app: App, options: PickerOptions<Item>): Dialog {
  const { title, note, isRemote = false, find, onChoose, onCancel, empty = 'Nothing found.' } = options;
  const store = createStore<PickerState<Item>>({
    input: textInput(''),
    found: [],
    index: 0,
    isLoading: false,
    error: '',
  });
  let takesWhenFound = false;
  const show = (found: readonly Item[], error = '') => {
    store.set({ found, index: 0, isLoading: false, error });
    if (takesWhenFound) take();
  };
  const search = async (text: string, delayMs: number) => {
    const isCurrent = () => store.get().input.text === text;
    try {
      if (delayMs > 0) {
        store.set({ isLoading: true });
        await wait(delayMs);
        if (!isCurrent()) return;
      }
      const answer = find(text);
      if (!(answer instanceof Promise)) return show(answer);
      store.set({ isLoading: true });
      const found = await answer;
      if (isCurrent()) show(found);
    } catch (error) {
      if (isCurrent()) show([], app.explain(error));
    }
  };
  const put = (input: TextInput) => {
    const before = store.get().input.text;
    store.set({ input });
    takesWhenFound = false;
    if (input.text !== before) void search(input.text, isRemote ? typingPauseMs : 0);
  };
  const move = (by: number) => {
    const { index, found } = store.get();
    store.set({ index: Math.max(0, Math.min(index + by, found.length - 1)) });
  };
  const cancel = () => {
    app.close(dialog);
    onCancel?.(store.get().input.text);
  };
  const take = () => {
    const { found, index, isLoading } = store.get();
    // Enter right after the last key is meant for what that key finds.
    takesWhenFound = isLoading;
    if (isLoading) return;
    const item = found[index];
    if (item === undefined) return onCancel === undefined ? undefined : cancel();
    app.close(dialog);
    void app.attempt(async () => onChoose(item));
  };

  const dialog: Dialog = {
    title: () => title,
    chain: () => 'picker',
    rows: () => maxRows + 1,
    write: (addition) => put(insert(store.get().input, addition, 'one line')),
    perform(action) {
      if (action === 'everywhere.back') cancel();
      else if (action === 'picker.take') take();
      else if (action === 'picker.down') move(1);
      else if (action === 'picker.up') move(-1);
      else if (action.startsWith('text.')) put(edit(store.get().input, action.slice(5) as Edit));
    },
    View: ({ width, height }: Size) => {
      const { input, found, index, isLoading, error } = useStore(store);
      const room = height - 1;
      const top = Math.max(0, Math.min(index - Math.floor(room / 2), found.length - room));
      const lines = found
        .slice(top, top + room)
        .map((item, offset) => itemLine(item, width, top + offset === index));
      const onMouse = ({ kind, y, lines: turned }: MouseEvent) => {
        if (kind === 'wheel') return move(Math.sign(turned));
        if (y === 0 || top + y > found.length) return;
        store.set({ index: top + y - 1 });
        take();
      };
      const nothing = error === '' ? (isLoading ? 'Loading…' : empty) : `✗ ${error}`;
      const field = input.text === '' ? showNote(note, width - 6) : showLine(input, width - 6);
      return (
        <Region onMouse={onMouse} width={width} height={height}>
          <Lines
            lines={[
              `  / ${field}`,
              ...(lines.length > 0 ? lines : [theme.quiet(`    ${cut(nothing, width - 6)}`)]),
            ]}
            height={height}
          />
        </Region>
      );
    },
  };
  void search('', 0);
  return dialog;
}

function itemLine({ name, about = '' }: PickerItem, width: number, isCurrent: boolean): string {
  const nameCells = Math.min(maxNameCells, width - 6);
  const room = width - nameCells - 8;
  const shown = fit(printable(name), about === '' ? width - 6 : nameCells);
  const rest = about === '' || room < 8 ? '' : `  ${fit(printable(about), room)}`;
  if (isCurrent) return `  ${theme.selected(`❯ ${shown}${rest}`)}`;
  return `    ${shown}${theme.quiet(rest)}`;
}
