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

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const longest = 60;
const widestLabel = 24;

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

/** A line of columns, one a number: how it went over time. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(...numbers, 0);
  return numbers
    .map((number) =>
      number <= 0 || most === 0 ? '▁' : (levels[Math.min(7, Math.floor((number / most) * 7.999))] ?? '█'),
    )
    .join('');
}
