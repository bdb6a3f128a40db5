import { sql } from 'slonik';
import { z } from 'zod';
import { isoTimestamp } from './json.ts';
import type { Database } from './pool.ts';

const monthToDate = z.object({
  /** The calendar month, such as `2026-09`. */
  month: z.string(),
  /** The zone whose days they are. */
  timezone: z.string(),
  /** The days from the first of the month to the present one, such as `2026-09-01`. */
  dates: z.array(z.string()),
  /** The instant at which each of them begins, and with it the day before ends (ISO 8601 UTC). */
  day_starts: z.array(z.string()),
  /** The first instant, and the one after the last. */
  starts_at: z.string(),
  ends_at: z.string(),
});

export type MonthToDate = z.infer<typeof monthToDate>;

/**
 * The month that an instant falls in, in a time zone, from its first day to the whole of the instant's day.
 *
 * @param timezone - a name of the IANA database; the result says UTC where Postgres' zone files lack it
 * @param now - the instant; the database's clock where it is undefined
 */
export async function selectMonthToDate(
  db: Database,
  timezone: string,
  now: Date | undefined,
): Promise<MonthToDate> {
  return await db.one(sql.type(monthToDate)`
    select
      min(left(date, 7)) as month,
      min(timezone) as timezone,
      json_agg(date order by date) as dates,
      json_agg(${isoTimestamp(sql.fragment`starts_at`)} order by date) as day_starts,
      ${isoTimestamp(sql.fragment`min(starts_at)`)} as starts_at,
      ${isoTimestamp(sql.fragment`max(ends_at)`)} as ends_at
    from month_to_date(${timezone}, coalesce(${now?.toISOString() ?? null}::timestamptz, now()))
  `);
}
