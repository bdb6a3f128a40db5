import { cellsOf, fit } from './cells.ts';
import { grouped } from './number.ts';
import { printable } from './text.ts';

/** One bar: what it counts, and how many. */
export interface ChartBar {
  readonly label: string;
  readonly count: number;
  readonly paint?: (bar: string) => string;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const longestBar = 50;

/** What labels may take of the room that the numbers leave: the bars are what it is about. */
const labelShare = 0.6;

/**
 * Horizontal bars with their labels and numbers. No line is wider than the width: long labels are cut.
 *
 * @param width - in terminal cells
 */
export function renderBars(bars: readonly ChartBar[], width: number): string {
  const labels = bars.map(({ label }) => printable(label));
  const numbers = bars.map(({ count }) => grouped(count));
  const numberWidth = Math.max(0, ...numbers.map((number) => number.length));
  const both = Math.max(2, width - numberWidth - 6);
  const labelWidth = Math.min(Math.floor(both * labelShare), Math.max(0, ...labels.map(cellsOf)));
  const room = Math.min(longestBar, both - labelWidth);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return bars
    .map(({ count, paint = (bar) => bar }, index) => {
      const number = (numbers[index] ?? '').padStart(numberWidth);
      return `  ${fit(labels[index] ?? '', labelWidth)}  ${number}  ${paint(bar((count / most) * room))}`.trimEnd();
    })
    .join('\n');
}

/** A bar of so many cells, to an eighth of one; what is more than nothing is seen. */
export function bar(cells: number): string {
  const parts = cells > 0 ? Math.max(1, Math.round(cells * 8)) : 0;
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** How much of something is used up, as a bar of so many cells; what is over is not drawn. */
export function renderGauge(ratio: number, width: number): string {
  const filled = Math.min(width, Math.floor(ratio * width));
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
