import type { Settings } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { selectIssueDays } from '../../db/analytics/issue-trend.ts';
import type { Database } from '../../db/connection/pool.ts';
import { timeZoneOf } from './calendar.ts';

type Trend = OutputOf<'issues.trend'>;

/**
 * The issues by the day of their report, on so many days up to today.
 *
 * @param now - the instant to read at; the database's clock where it is undefined
 */
export async function readIssueTrend(
  db: Database,
  settings: Settings,
  days: number,
  now?: Date,
): Promise<Trend> {
  const timezone = timeZoneOf(settings);
  const found = await selectIssueDays(db, timezone, days, now);
  return {
    timezone: found[0]?.timezone ?? timezone,
    days: found.map(({ date, by_severity: bySeverity }) => ({
      date,
      count: bySeverity.reduce((sum, { count }) => sum + count, 0),
      bySeverity,
    })),
  };
}
