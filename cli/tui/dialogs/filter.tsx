import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { showLine, showNote } from '../components/text-field.ts';
import type { Dialog, Size } from '../screen-types.ts';
import { createStore, useStore } from '../store.ts';
import { draftOf, type Edit, edit, insert } from '../text/edit.ts';

export interface Filter {
  readonly text: string;
  /** What else it takes, in a few words. */
  readonly note: string;
  /** Told at each change. */
  readonly change: (text: string) => void;
}

/** A line that filters a list as it is written. Enter keeps it, Esc brings back the one before. */
export function filterDialog(app: App, { text, note, change }: Filter): Dialog {
  const store = createStore({ draft: draftOf(text) });
  const put = (draft: { text: string; cursor: number }) => {
    const before = store.get().draft.text;
    store.set({ draft });
    if (draft.text !== before) change(draft.text);
  };
  const dialog: Dialog = {
    title: () => 'Filter',
    chain: () => 'filter',
    rows: () => 1,
    write: (addition) => put(insert(store.get().draft, addition, 'one line')),
    perform(action) {
      if (action === 'filter.done') return app.close(dialog);
      if (action === 'everywhere.back') {
        app.close(dialog);
        return put(draftOf(text));
      }
      if (action.startsWith('text.')) put(edit(store.get().draft, action.slice(5) as Edit));
    },
    View: ({ width, height }: Size) => {
      const { draft } = useStore(store);
      const shown = draft.text === '' ? showNote(note, width - 6) : showLine(draft, width - 6);
      return <Lines lines={[`  / ${shown}`]} height={height} />;
    },
  };
  return dialog;
}
