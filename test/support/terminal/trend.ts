import type { Trend } from '../../../cli/tui/screens/charts/trend-lines.ts';

/** Returns a trend of days in January with these counts. */
export const trendOf = (counts: readonly number[]): Trend => ({
  timezone: 'UTC',
  days: counts.map((count, day) => ({
    date: new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10),
    startsAt: new Date(Date.UTC(2026, 0, day + 1)).toISOString(),
    endsAt: new Date(Date.UTC(2026, 0, day + 2)).toISOString(),
    count,
    bySeverity: [],
  })),
});
