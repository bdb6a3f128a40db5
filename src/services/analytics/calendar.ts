import { timeZoneKey } from '../../contract/known-settings/token-settings.ts';
import type { Settings } from '../../contract/operations/settings.ts';
import { type MonthToDate, selectMonthToDate } from '../../db/analytics/months.ts';
import type { Database } from '../../db/connection/pool.ts';

/**
 * Returns a month in the time zone of the setting `timezone`, or the current one instead of one that has not begun.
 *
 * @param now - defaults to the database's clock
 * @param month - such as `2026-09`; by default the current one
 */
export function readMonth(
  db: Database,
  settings: Settings,
  now: Date | undefined,
  month?: string,
): Promise<MonthToDate> {
  return selectMonthToDate(db, timeZoneOf(settings), now, month);
}

/** Returns the time zone of the setting `timezone`, or UTC if the setting is not a time zone. */
export function timeZoneOf({ [timeZoneKey]: timezone = '' }: Settings): string {
  return isTimeZone(timezone) ? timezone : 'UTC';
}

/** The last name that was checked: a check takes as long as a query. */
let lastChecked = { name: 'UTC', isTimeZone: true };

/**
 * Reports whether the name is a zone of the IANA database. Postgres also accepts names such as `FOO3`, and reads
 * `+01:00` as west of Greenwich.
 */
function isTimeZone(name: string): boolean {
  if (lastChecked.name !== name) lastChecked = { name, isTimeZone: checkTimeZone(name) };
  return lastChecked.isTimeZone;
}

function checkTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
