import type { OutputOf } from '../../../src/contract/index.ts';
import { counted, grouped } from '../../output/number.ts';
import { sparkline } from '../components/bars.ts';
import { theme } from '../theme.ts';

export type Trend = OutputOf<'issues.trend'>;

/** How wide the column of a day may be. */
const widestDay = 3;

/** How many issues were reported: a column for each of the last days, and what they add up to. */
export function trendLines({ days, timezone }: Trend, cells: number): string[] {
  const counts = days.map(({ count }) => count);
  const sum = counts.reduce((all, count) => all + count, 0);
  const wide = Math.max(1, Math.min(widestDay, Math.floor((cells - 8) / days.length)));
  const drawn = [...sparkline(counts)].map((column) => column.repeat(wide)).join('');
  const first = `${days.length - 1} days ago`;
  return [
    `  ${theme.title('New issues by day')}  ${theme.quiet(`${counted(sum, 'issue')} in ${counted(days.length, 'day')}, ${timezone}`)}`,
    `    ${theme.accent(drawn)}`,
    theme.quiet(`    ${first.padEnd(Math.max(0, days.length * wide - 'today'.length))}today`),
    theme.quiet(`    at most ${grouped(Math.max(...counts))} a day, ${grouped(counts.at(-1) ?? 0)} today`),
  ];
}
