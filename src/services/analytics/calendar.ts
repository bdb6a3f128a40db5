import { timeZoneKey } from '../../contract/known-settings/token-settings.ts';
import type { Settings } from '../../contract/operations/settings.ts';
import { type MonthToDate, selectMonthToDate } from '../../db/analytics/months.ts';
import type { Database } from '../../db/connection/pool.ts';

/**
 * The month that is on, in the zone of the setting `timezone`.
 *
 * @param now - the instant; the database's clock where it is undefined
 */
export function readMonth(db: Database, settings: Settings, now: Date | undefined): Promise<MonthToDate> {
  return selectMonthToDate(db, timeZoneOf(settings), now);
}

/** The zone of the setting `timezone`, or UTC where that names none. */
export function timeZoneOf({ [timeZoneKey]: timezone = '' }: Settings): string {
  return isTimeZone(timezone) ? timezone : 'UTC';
}

/** Whether it names a zone of the IANA database. Postgres alone takes `FOO3` too, and reads the sign of `+01:00` as west. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
