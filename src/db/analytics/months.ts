import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../timestamps.ts';

const monthToDate = z.object({
  /** The calendar month, such as `2026-09`. */
  month: z.string(),
  /** The zone of the days. */
  timezone: z.string(),
  /** The days from the first of the month to today, such as `2026-09-01`. */
  dates: z.array(z.string()),
  /** The instant at which each day starts and the previous one ends (ISO 8601 UTC). */
  day_starts: z.array(z.string()),
  /** The first instant of the month to date, and the first one after it. */
  starts_at: z.string(),
  ends_at: z.string(),
  /**
   * Seconds of the month so far and in total, as decimal texts. A clock change makes a month an hour longer or shorter.
   */
  elapsed_seconds: z.string(),
  total_seconds: z.string(),
});

export type MonthToDate = z.infer<typeof monthToDate>;

/**
 * Returns a month in a time zone, from its first day to its last, or of the current month to the end of today. Instead of a
 * month that has not begun, returns the current one.
 *
 * @param timezone - a name of the IANA database; the result says UTC if Postgres does not know the zone
 * @param now - the current time; undefined means the database's clock
 * @param month - such as `2026-09`; by default the current one
 */
export async function selectMonthToDate(
  db: Database,
  timezone: string,
  now: Date | undefined,
  month?: string,
): Promise<MonthToDate> {
  // In every time zone, the middle of a month is in that month.
  const at =
    month === undefined
      ? sql.fragment`now`
      : sql.fragment`least(
          now, month_ends_at(${timezone}, ${`${month}-15T12:00:00Z`}::timestamptz) - interval '1 microsecond'
        )`;
  return await db.one(sql.type(monthToDate)`
    with clock as (
      -- Not now(): in a transaction that waited for another one it may be in the previous month.
      select coalesce(${now?.toISOString() ?? null}::timestamptz, statement_timestamp()) as now
    ), instant as (
      select now, ${at} as at from clock
    ), month as (
      select
        now,
        month_ends_at(${timezone}, at) as month_ends_at,
        min(left(date, 7)) as month,
        min(timezone) as timezone,
        json_agg(date order by date) as dates,
        json_agg(${isoTimestamp(sql.fragment`starts_at`)} order by date) as day_starts,
        min(starts_at) as starts_at,
        max(ends_at) as ends_at
      from instant, month_to_date(${timezone}, at)
      group by now, at
    )
    select
      month, timezone, dates, day_starts,
      ${isoTimestamp(sql.fragment`starts_at`)} as starts_at,
      ${isoTimestamp(sql.fragment`ends_at`)} as ends_at,
      extract(epoch from least(now, month_ends_at) - starts_at)::text as elapsed_seconds,
      extract(epoch from month_ends_at - starts_at)::text as total_seconds
    from month
  `);
}
