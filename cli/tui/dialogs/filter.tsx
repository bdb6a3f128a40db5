import { cut } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';
import { Lines } from '../components/lines.tsx';
import { showLine, showNote } from '../components/text-field.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../text/edit.ts';
import { theme } from '../theme.ts';

export interface FilterOptions {
  readonly text: string;
  /** The placeholder: what the filter accepts. */
  readonly note: string;
  /** Returns what is wrong with the text, in a sentence. */
  readonly problemOf?: (text: string) => string | undefined;
  /** Receives the text at each change. */
  readonly onChange: (text: string) => void;
}

/** Filters a list as the user types. Enter keeps the filter, Esc restores the previous one. */
export function filterDialog(app: App, { text, note, problemOf, onChange }: FilterOptions): Dialog {
  const store = createStore({ input: textInput(text) });
  const put = (input: TextInput) => {
    const before = store.get().input.text;
    store.set({ input });
    if (input.text !== before) onChange(input.text);
  };
  const dialog: Dialog = {
    title: () => 'Filter',
    chain: () => 'filter',
    subscribe: store.subscribe,
    rows: () => (problemOf?.(store.get().input.text) === undefined ? 1 : 2),
    write: (addition) => put(insert(store.get().input, addition, 'one line')),
    perform(action) {
      if (action === 'filter.done') return app.close(dialog);
      if (action === 'everywhere.back') {
        app.close(dialog);
        return put(textInput(text));
      }
      if (action.startsWith('text.')) put(edit(store.get().input, action.slice(5) as Edit));
    },
    View: ({ width, height }: Size) => {
      const { input } = useStore(store);
      const shown = input.text === '' ? showNote(note, width - 6) : showLine(input, width - 6);
      const problem = problemOf?.(input.text);
      const lines = problem === undefined ? [] : [`    ${theme.warning(cut(printable(problem), width - 6))}`];
      return <Lines lines={[`  / ${shown}`, ...lines]} height={height} />;
    },
  };
  return dialog;
}
