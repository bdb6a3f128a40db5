import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import type { Settings } from '../contract/settings.ts';
import { timeZoneKey } from '../contract/token-settings.ts';
import { selectIssueDays } from '../db/issue-trend.ts';
import type { Database } from '../db/pool.ts';
import { selectSettings } from '../db/settings.ts';
import { timeZoneOf } from './calendar.ts';
import type { Context } from './context.ts';

type Trend = OutputOf<'issues.trend'>;

export async function showIssueTrend(
  { db }: Context,
  { days }: ParsedInputOf<'issues.trend'>,
): Promise<Trend> {
  return await readIssueTrend(db, await selectSettings(db, [timeZoneKey]), days);
}

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
