import { wrap } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import type { Dialog, Size } from '../screen-types.ts';
import { theme } from '../theme.ts';

/** A question whose answer is no, unless it is `y`. */
export function confirmDialog(app: App, question: string, yes: () => Promise<void> | void): Dialog {
  const lines = (width: number) =>
    wrap(question, Math.max(10, width - 4)).map((line) => `  ${theme.strong(line)}`);
  const dialog: Dialog = {
    title: () => 'Sure?',
    chain: () => 'confirm',
    rows: (width) => lines(width).length + 2,
    perform(action) {
      app.close(dialog);
      if (action === 'confirm.yes') void app.attempt(async () => yes());
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
