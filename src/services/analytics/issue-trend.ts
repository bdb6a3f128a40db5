import type { Settings } from '../../contract/known-settings/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { selectIssueDays } from '../../db/analytics/issue-trend.ts';
import type { Database } from '../../db/connection/database.ts';
import { timeZoneOf } from './calendar.ts';

type Trend = OutputOf<'issues.trend'>;

/**
 * Returns the number of issues reported on each of the last days, today included.
 *
 * @param now - defaults to the database's clock
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
    days: found.map(({ date, starts_at: startsAt, ends_at: endsAt, by_severity: bySeverity }) => ({
      date,
      startsAt,
      endsAt,
      count: bySeverity.reduce((sum, { count }) => sum + count, 0),
      bySeverity,
    })),
  };
}
