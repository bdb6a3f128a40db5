import { wrap } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import { action, type Dialog } from '../app/types.ts';

/** Asks before something is done. Only `y` confirms. */
export function confirmDialog(
  app: App,
  question: string,
  yes: () => unknown,
  no: () => unknown = () => {},
): Dialog {
  const lines = (cells: number) => wrap(question, cells - 4).map((line) => `  ${line}`);
  const dialog: Dialog = {
    title: () => 'Confirm',
    rows: (cells) => lines(cells).length,
    draw: ({ width }) => lines(width),
    actions: () => [
      action('confirm.yes', 'y', { title: 'Yes', hint: 'yes' }, () => {
        app.close(dialog);
        return yes();
      }),
      action('confirm.no', 'n', { title: 'No', hint: 'no' }, () => dialog.back()),
    ],
    back() {
      app.close(dialog);
      no();
      return true;
    },
  };
  return dialog;
}
