import type { OutputOf } from '../../../src/contract/registry.ts';
import { pad } from '../../terminal/cells.ts';
import { renderColumns } from '../../terminal/chart.ts';
import { counted, grouped } from '../../terminal/text.ts';
import { style } from './style.ts';

export type Trend = OutputOf<'issues.trend'>;

/** The rows of `trendLines` besides its columns. */
export const trendFrameRows = 3;

/**
 * Draws how many issues were reported on each day, and their sum.
 *
 * @param rows - the height of the columns
 */
export function trendLines({ days, timezone }: Trend, cells: number, rows: number): string[] {
  const counts = days.map(({ count }) => count);
  const sum = counts.reduce((all, count) => all + count, 0);
  const max = grouped(Math.max(...counts));
  const drawn = renderColumns(counts, rows, cells - max.length - 6);
  const axis = '─'.repeat(drawn[0]?.length ?? 0);
  const blank = ' '.repeat(max.length);
  const first = `${days.length - 1} days ago`;
  const range = `${first.padEnd(Math.max(first.length + 1, axis.length - 'today'.length))}today`;
  const note = `${counted(sum, 'issue')} in ${counted(days.length, 'day')}, ${timezone}`;
  return [
    heading('Reported issues', note),
    ...drawn.map((line, row) => `    ${style.quiet(row === 0 ? max : blank)} ${style.accent(line)}`),
    style.quiet(`    ${blank} ${axis}`),
    style.quiet(`    ${blank} ${range}`),
  ];
}

/** Draws the title of a chart or a list within a screen. */
export const heading = (title: string, note = ''): string =>
  `  ${style.title(title)}${note === '' ? '' : `  ${style.quiet(note)}`}`;

/** Puts lines beside others, which begin two cells after the given ones. */
export const sideBySide = (
  left: readonly string[],
  right: readonly string[],
  cells: number,
): readonly string[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${pad(left[at] ?? '', cells + 2)}${right[at] ?? ''}`.trimEnd(),
  );
