import { wrap } from '../../output/cells.ts';
import { Lines } from '../components/lines.tsx';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { theme } from '../theme.ts';

/** Asks a question. Every key except `y` means no. */
export function confirmDialog(app: App, question: string, onYes: () => Promise<void> | void): Dialog {
  const lines = (width: number) =>
    wrap(question, Math.max(10, width - 4)).map((line) => `  ${theme.strong(line)}`);
  const dialog: Dialog = {
    title: () => 'Confirm',
    chain: () => 'confirm',
    rows: (width) => lines(width).length + 2,
    perform(action) {
      app.close(dialog);
      if (action === 'confirm.yes') void app.attempt(async () => onYes());
    },
    View: ({ width, height }: Size) => (
      <Lines
        lines={[...lines(width), '', `  ${theme.alarm('y')} yes    ${theme.strong('n')} no`]}
        height={height}
      />
    ),
  };
  return dialog;
}
