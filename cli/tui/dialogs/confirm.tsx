import { wrap } from '../../terminal/cells.ts';
import { Lines } from '../components/lines.tsx';
import { Region } from '../components/region.tsx';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { theme } from '../theme.ts';

interface ConfirmOptions {
  readonly asks?: Dialog['asks'];
  /** The text that the question is about. */
  readonly quoted?: string;
}

/** Asks a question. Every key except `y` means no. */
export function confirmDialog(
  app: App,
  question: string,
  onYes: () => Promise<void> | void,
  { asks, quoted = '' }: ConfirmOptions = {},
): Dialog {
  const lines = (width: number) => {
    const cells = Math.max(10, width - 4);
    const quote = quoted === '' ? [] : [...wrap(quoted, cells - 2).map((line) => `  │ ${line}`), ''];
    return [...quote, ...wrap(question, cells).map((line) => `  ${theme.strong(line)}`)];
  };
  /** Only a click on an answer is one. */
  const onMouse =
    (width: number, height: number) =>
    ({ kind, x, y }: MouseEvent) => {
      if (kind === 'wheel' || y !== fitHeight(lines(width), height - 2).length + 1) return;
      if (x >= 2 && x < 7) dialog.perform('confirm.yes');
      else if (x >= 11 && x < 15) dialog.perform('confirm.no');
    };
  const dialog: Dialog = {
    title: () => 'Confirm',
    ...(asks === undefined ? {} : { asks }),
    chain: () => 'confirm',
    rows: (width) => lines(width).length + 2,
    perform(action) {
      app.close(dialog);
      if (action === 'confirm.yes') void app.attempt(async () => onYes());
    },
    View: ({ width, height }: Size) => (
      <Region onMouse={onMouse(width, height)} width={width} height={height}>
        <Lines
          lines={[
            ...fitHeight(lines(width), height - 2),
            '',
            `  ${theme.alarm('y')} yes    ${theme.strong('n')} no`,
          ]}
          height={height}
        />
      </Region>
    ),
  };
  return dialog;
}

/** Leaves out lines in the middle if there is no room for all: the question at the end must be seen. */
function fitHeight(lines: readonly string[], height: number): readonly string[] {
  if (lines.length <= height) return lines;
  const end = lines.slice(-2);
  const start = lines.slice(0, Math.max(0, height - end.length - 1));
  const left = lines.length - start.length - end.length;
  return [...start, theme.quiet(`  … ${left} more lines. Open the conversation to read all.`), ...end];
}
