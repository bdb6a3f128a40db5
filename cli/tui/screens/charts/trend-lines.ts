import type { OutputOf } from '../../../../src/contract/registry.ts';
import { counted, grouped } from '../../../terminal/number.ts';
import { columnChart } from '../../components/bars.ts';
import { theme } from '../../theme.ts';

export type Trend = OutputOf<'issues.trend'>;

/**
 * Returns a chart of the issues reported on each day, and their sum.
 *
 * @param rows - the height of the columns
 */
export function trendLines({ days, timezone }: Trend, cells: number, rows: number): string[] {
  const counts = days.map(({ count }) => count);
  const sum = counts.reduce((all, count) => all + count, 0);
  const max = grouped(Math.max(...counts));
  const drawn = columnChart(counts, rows, cells - max.length - 6);
  const axis = '─'.repeat(drawn[0]?.length ?? 0);
  const blank = ' '.repeat(max.length);
  const first = `${days.length - 1} days ago`;
  return [
    `  ${theme.title('Reported issues')}  ${theme.quiet(`${counted(sum, 'issue')} in ${counted(days.length, 'day')}, ${timezone}`)}`,
    ...drawn.map((line, row) => `    ${theme.quiet(row === 0 ? max : blank)} ${theme.accent(line)}`),
    theme.quiet(`    ${blank} ${axis}`),
    theme.quiet(
      `    ${blank} ${first.padEnd(Math.max(first.length + 1, axis.length - 'today'.length))}today`,
    ),
  ];
}
