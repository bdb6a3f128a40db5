import type { Trend } from '../../../cli/tui/screens/charts/trend-lines.ts';

/** Returns a trend of days in January with these counts. */
export const trendOf = (counts: readonly number[]): Trend => ({
  timezone: 'UTC',
  days: counts.map((count, day) => ({
    date: `2026-01-${String(day + 1).padStart(2, '0')}`,
    count,
    bySeverity: [],
  })),
});
