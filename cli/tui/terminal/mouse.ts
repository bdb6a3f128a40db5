/** Reports presses and the wheel (1000), in a form without a limit of columns (1006). */
export const takeMouse = '\u001B[?1000h\u001B[?1006h';
export const leaveMouse = '\u001B[?1006l\u001B[?1000l';

/** What a person does with the mouse. The cells count from 0. */
export interface MouseEvent {
  readonly kind: 'press' | 'double' | 'wheel';
  readonly x: number;
  readonly y: number;
  /** How many lines the wheel turned down. */
  readonly lines: number;
}

/** A second press on the same cell within this time is a double click. */
const doubleMs = 400;
const linesPerTurn = 3;

/**
 * Returns a function that understands the reports of a terminal. It returns undefined for what nothing listens to: other
 * buttons, releases, and movements.
 */
export function createMouseReader(clock: () => number = Date.now) {
  let last = { x: -1, y: -1, at: Number.NEGATIVE_INFINITY };
  /** @param report - `0;10;5M`: the button, the column and the row from 1, and `m` for a release */
  return (report: string): MouseEvent | undefined => {
    const [, code, column, row, end] = /^(\d+);(\d+);(\d+)([Mm])$/.exec(report) ?? [];
    if (code === undefined || end !== 'M') return undefined;
    // Shift, Alt and Ctrl add to the number of the button.
    const button = Number(code) & ~0b11100;
    const [x, y] = [Number(column) - 1, Number(row) - 1];
    if (button === 64 || button === 65)
      return { kind: 'wheel', x, y, lines: button === 64 ? -linesPerTurn : linesPerTurn };
    if (button !== 0) return undefined;
    const at = clock();
    const isDouble = last.x === x && last.y === y && at - last.at <= doubleMs;
    last = { x, y, at: isDouble ? Number.NEGATIVE_INFINITY : at };
    return { kind: isDouble ? 'double' : 'press', x, y, lines: 0 };
  };
}
