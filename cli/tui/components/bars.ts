import { cellsOf, fit } from '../../terminal/cells.ts';
import { renderBar } from '../../terminal/chart.ts';
import { grouped } from '../../terminal/number.ts';
import { printable } from '../../terminal/text.ts';
import type { Paint } from '../theme.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly paint?: Paint;
  /** Shown in place of the count. */
  readonly valueText?: string;
}

const levels = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const maxLabelCells = 24;
/** A wider column looks like a wall. */
const maxColumnCells = 8;

/** Returns a horizontal bar per line, with its label and number. */
export function bars(all: readonly Bar[], cells: number): string[] {
  const labels = all.map(({ label }) => printable(label));
  const labelCells = Math.min(maxLabelCells, Math.max(0, ...labels.map(cellsOf)));
  const numbers = all.map((each) => each.valueText ?? grouped(each.count));
  const numberCells = Math.max(0, ...numbers.map(cellsOf));
  const room = Math.max(4, cells - labelCells - numberCells - 9);
  const max = Math.max(1, ...all.map((each) => each.count));
  return all.map((each, at) => {
    const drawn = renderBar((each.count / max) * room);
    const number = fit(numbers[at] ?? '', numberCells, 'right');
    return `    ${fit(labels[at] ?? '', labelCells)}  ${number}  ${each.paint === undefined ? drawn : each.paint(drawn)}`;
  });
}

/**
 * Returns the lines of a column chart, the top line first. The columns are as wide as there is room, with a gap between
 * them if it fits. Every number above zero is visible.
 */
export function columnChart(numbers: readonly number[], rows: number, cells: number): string[] {
  const room = Math.floor(cells / numbers.length);
  const [width, gap] = room > 1 ? [Math.min(maxColumnCells, room - 1), ' '] : [1, ''];
  const max = Math.max(1, ...numbers);
  const heights = numbers.map((number) =>
    number > 0 ? Math.max(1, Math.round((number / max) * rows * 8)) : 0,
  );
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * 8;
    return heights.map((height) => eighth(height - below).repeat(width)).join(gap);
  });
}

const eighth = (height: number) => levels[Math.max(0, Math.min(8, height))] ?? '';
