import { timeZoneKey } from '../contract/token-settings.ts';
import { type MonthToDate, selectMonthToDate } from '../db/months.ts';
import type { Database } from '../db/pool.ts';

/**
 * The month that is on, in the zone of the setting `timezone`; in UTC where that names none.
 *
 * @param now - the instant; the database's clock where it is undefined
 */
export function readMonth(
  db: Database,
  { [timeZoneKey]: timezone = '' }: Readonly<Record<string, string>>,
  now: Date | undefined,
): Promise<MonthToDate> {
  return selectMonthToDate(db, isTimeZone(timezone) ? timezone : 'UTC', now);
}

/** Whether it names a zone of the IANA database. Postgres alone takes `FOO3` too, and reads the sign of `+01:00` as west. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
