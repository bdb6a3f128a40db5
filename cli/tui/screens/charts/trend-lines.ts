import type { OutputOf } from '../../../../src/contract/registry.ts';
import { counted, grouped } from '../../../output/number.ts';
import { columnChart } from '../../components/bars.ts';
import { theme } from '../../theme.ts';

export type Trend = OutputOf<'issues.trend'>;

const chartRows = 4;

/** Returns a chart of the issues reported per day, and their sum. */
export function trendLines({ days, timezone }: Trend, cells: number): string[] {
  const counts = days.map(({ count }) => count);
  const sum = counts.reduce((all, count) => all + count, 0);
  const max = grouped(Math.max(...counts));
  const drawn = columnChart(counts, chartRows, cells - max.length - 6);
  const axis = '─'.repeat(drawn[0]?.length ?? 0);
  const blank = ' '.repeat(max.length);
  const first = `${days.length - 1} days ago`;
  return [
    `  ${theme.title('New issues by day')}  ${theme.quiet(`${counted(sum, 'issue')} in ${counted(days.length, 'day')}, ${timezone}`)}`,
    ...drawn.map((line, row) => `    ${theme.quiet(row === 0 ? max : blank)} ${theme.accent(line)}`),
    theme.quiet(`    ${blank} ${axis}`),
    theme.quiet(`    ${blank} ${first.padEnd(Math.max(0, axis.length - 'today'.length))}today`),
  ];
}
