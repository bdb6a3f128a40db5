import { cut } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import { action, type Dialog } from '../app/types.ts';
import { edit, insert, type TextInput, textInput } from '../draw/edit.ts';
import { editActions, fieldLine } from '../draw/field.ts';
import { style } from '../draw/style.ts';

interface FilterAbout {
  readonly text: string;
  readonly note: string;
  /** Earlier filters, the latest last. */
  readonly history: readonly string[];
  /** Returns what is wrong with the text. */
  show(text: string): string | undefined;
  keep(text: string): void;
  cancel(): void;
}

/** Filters a list while it is typed. Esc shows what was there before. */
export const openFilter = (app: App, about: FilterAbout): void => app.open(filterDialog(app, about));

export function filterDialog(app: App, about: FilterAbout): Dialog {
  const { text, note, history, show, keep, cancel } = about;
  let input = textInput(text);
  let problem: string | undefined;
  let at = history.length;
  const put = (next: TextInput) => {
    if (next.text !== input.text) problem = show(next.text);
    input = next;
  };
  const recall = (by: number) => {
    at = Math.max(0, Math.min(at + by, history.length));
    put(textInput(history[at] ?? ''));
  };
  const dialog: Dialog = {
    title: () => 'Filter',
    rows: () => 2,
    draw: ({ width }) => [
      `  / ${fieldLine(input, width - 6, note)}`,
      `    ${problem === undefined ? style.quiet(cut(note, width - 6)) : style.warning(cut(problem, width - 6))}`,
    ],
    actions: () => [
      action(
        'filter.keep',
        'enter',
        { title: 'Keep the filter and go back to the list', hint: 'keep' },
        () => {
          app.close(dialog);
          keep(input.text);
        },
      ),
      action('filter.earlier', 'up', { title: 'Earlier filter', hint: 'earlier' }, () => recall(-1)),
      action('filter.later', 'down', { title: 'Later filter' }, () => recall(1)),
      ...editActions((what) => put(edit(input, what))),
    ],
    write: (more) => put(insert(input, more, 'one line')),
    back() {
      app.close(dialog);
      cancel();
      return true;
    },
  };
  return dialog;
}
