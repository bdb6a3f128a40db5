import type { Settings } from '../../contract/known-settings/settings.ts';
import { timeZoneKey } from '../../contract/known-settings/token-settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { selectIssueDays } from '../../db/analytics/issue-counters.ts';
import { type MonthToDate, selectMonthToDate } from '../../db/analytics/months.ts';
import type { Database } from '../../db/connection/database.ts';
import { isTimeZone } from '../../shared/time.ts';

/**
 * Returns a month such as `2026-09` in the time zone of the setting `timezone`. Without a month, or if it has not begun,
 * returns the current one. `now` defaults to the database's clock, here and below.
 */
export function readMonth(
  db: Database,
  settings: Settings,
  now: Date | undefined,
  month?: string,
): Promise<MonthToDate> {
  return selectMonthToDate(db, timeZoneOf(settings), now, month);
}

/** Reports whether the analytics can use a time zone: whether Node and the database both know it. */
export async function isUsableTimeZone(db: Database, name: string): Promise<boolean> {
  const { timezone } = await readMonth(db, { [timeZoneKey]: name }, undefined);
  // Postgres returns the name with the usual capitals.
  return timezone.toLowerCase() === name.toLowerCase();
}

/** The last name that was checked: a check takes as long as a query. */
let lastChecked = { name: 'UTC', zone: 'UTC' };

/** Returns the time zone of the setting `timezone`, or UTC if the setting is not a time zone. */
function timeZoneOf({ [timeZoneKey]: name = '' }: Settings): string {
  if (lastChecked.name !== name) lastChecked = { name, zone: isTimeZone(name) ? name : 'UTC' };
  return lastChecked.zone;
}

/** Returns the number of issues reported on each of the last days, today included. */
export async function readIssueTrend(
  db: Database,
  settings: Settings,
  days: number,
  now?: Date,
): Promise<OutputOf<'issues.trend'>> {
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
