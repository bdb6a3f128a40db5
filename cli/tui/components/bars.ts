import { cellsOf, fit } from '../../output/cells.ts';
import { bar } from '../../output/chart.ts';
import { grouped } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import type { Paint } from '../theme.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly paint?: Paint;
  /** Instead of the number. */
  readonly said?: string;
}

const levels = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const longest = 60;
const widestLabel = 24;
const widestColumn = 3;

/** Horizontal bars with their labels and numbers, a line each. */
export function bars(found: readonly Bar[], cells: number): string[] {
  const labels = found.map(({ label }) => printable(label));
  const labelCells = Math.min(widestLabel, Math.max(0, ...labels.map(cellsOf)));
  const numbers = found.map((each) => each.said ?? grouped(each.count));
  const numberCells = Math.max(0, ...numbers.map(cellsOf));
  const room = Math.max(4, Math.min(longest, cells - labelCells - numberCells - 9));
  const most = Math.max(1, ...found.map((each) => each.count));
  return found.map((each, at) => {
    const drawn = bar((each.count / most) * room);
    const number = fit(numbers[at] ?? '', numberCells, 'right');
    return `    ${fit(labels[at] ?? '', labelCells)}  ${number}  ${each.paint === undefined ? drawn : each.paint(drawn)}`;
  });
}

/**
 * Columns, one a number: how it went over time. They are as wide as there is room, with a gap between them where that
 * leaves a cell for it. What is more than nothing is seen; the first of the lines is the top.
 */
export function columnChart(numbers: readonly number[], rows: number, cells: number): string[] {
  const room = Math.floor(cells / numbers.length);
  const [width, gap] = room > 1 ? [Math.min(widestColumn, room - 1), ' '] : [1, ''];
  const most = Math.max(1, ...numbers);
  const heights = numbers.map((number) =>
    number > 0 ? Math.max(1, Math.round((number / most) * rows * 8)) : 0,
  );
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * 8;
    return heights.map((height) => eighth(height - below).repeat(width)).join(gap);
  });
}

const eighth = (height: number) => levels[Math.max(0, Math.min(8, height))] ?? '';
