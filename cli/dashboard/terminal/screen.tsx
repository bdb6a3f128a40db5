import { useApp, useInput, usePaste, useStdout, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { App } from '../app/app.ts';
import type { Size } from '../app/types.ts';
import type { Lend } from './host.ts';
import { type Stroke, strokesOf } from './strokes.ts';

interface ScreenProps {
  readonly app: Pick<App, 'onChange' | 'version' | 'changed' | 'paste'>;
  readonly press: (stroke: Stroke, size: Size) => void;
  readonly draw: (size: Size) => readonly string[];
  /** Reports whether another program has the terminal. */
  readonly isLent: () => boolean;
  /** Receives what gives the terminal away for a while, and what draws everything again. */
  readonly onReady: (suspend: Lend, redraw: () => void) => void;
}

/** As one update, and without wrapping: a terminal may draw a character wider than it was measured. */
const start = '\u001B[?2026h\u001B[?7l';
/** Leaves the cursor at the top: the line break that Ink writes for its own empty frame would scroll the last line. */
const end = '\u001B[?7h\u001B[H\u001B[?2026l';
const clear = '\u001B[2J';

/** All of the dashboard that Ink and React know: keys go in, and lines that already fit come out. */
export function Screen({ app, press, draw, isLent, onReady }: ScreenProps): ReactNode {
  const windowSize = useWindowSize();
  const { columns: width, rows: height } = windowSize;
  const { suspendTerminal } = useApp();
  useSyncExternalStore(app.onChange, app.version);
  useInput((input, key) => {
    for (const stroke of strokesOf(input, key)) press(stroke, { width, height });
  });
  usePaste((text) => app.paste(text));
  const redraw = useLines(draw({ width, height }), windowSize, isLent, app.changed);
  useEffect(() => onReady((work) => suspendTerminal(work), redraw), [suspendTerminal, onReady, redraw]);
  return null;
}

/**
 * Writes the lines that differ from those on the screen. Ink's own `<Text>` makes an object for each cell of each frame,
 * which takes 100 ms on a terminal of 300×80.
 *
 * @param size - another object after each change of the size, after which terminal and Ink have cut or erased lines
 */
function useLines(
  lines: readonly string[],
  size: object,
  isLent: () => boolean,
  changed: () => void,
): () => void {
  const { stdout } = useStdout();
  const shown = useRef<{ lines: readonly string[]; size: object } | undefined>(undefined);
  useLayoutEffect(() => {
    if (isLent()) return;
    let { output, before } =
      shown.current?.size === size ? scroll(shown.current.lines, lines) : { output: clear, before: [] };
    for (const [at, line] of lines.entries())
      if (line !== (before[at] ?? '')) output += `${toRow(at)}\u001B[2K${line}`;
    shown.current = { lines, size };
    if (output !== '') stdout.write(start + output + end);
  });
  const redraw = useRef(() => {
    shown.current = undefined;
    changed();
  });
  return redraw.current;
}

const toRow = (row: number) => `\u001B[${row + 1};1H`;

/** Lets the terminal move lines if most have moved by one, which saves nine of ten bytes when a list scrolls. */
function scroll(before: readonly string[], lines: readonly string[]) {
  for (const by of [1, -1]) {
    const moved = [...lines.keys()].filter((at) => lines[at] !== before[at] && lines[at] === before[at + by]);
    const [first = 0, last = 0] = [moved[0], moved.at(-1)];
    if (moved.length < 4) continue;
    // One line is deleted, and an empty one inserted at the other end.
    const [from, to] = by === 1 ? [first, last + 1] : [last, first - 1];
    const output = `${toRow(from)}\u001B[M${toRow(to)}\u001B[L`;
    return { output, before: before.toSpliced(from, 1).toSpliced(to, 0, '') };
  }
  return { output: '', before };
}
