import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { isoTimestamp } from '../timestamps.ts';

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
  /** Seconds of the month until the instant, and in all, as decimal texts: a month with a change of clocks is an hour off. */
  elapsed_seconds: z.string(),
  total_seconds: z.string(),
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
    with instant as (
      -- Not now(), which in a transaction that waited for another may be of the month before.
      select coalesce(${now?.toISOString() ?? null}::timestamptz, statement_timestamp()) as at
    ), month as (
      select
        at,
        min(left(date, 7)) as month,
        min(timezone) as timezone,
        json_agg(date order by date) as dates,
        json_agg(${isoTimestamp(sql.fragment`starts_at`)} order by date) as day_starts,
        min(starts_at) as starts_at,
        max(ends_at) as ends_at
      from instant, month_to_date(${timezone}, at)
      group by at
    )
    select
      month, timezone, dates, day_starts,
      ${isoTimestamp(sql.fragment`starts_at`)} as starts_at,
      ${isoTimestamp(sql.fragment`ends_at`)} as ends_at,
      -- Where midnight comes twice, the first of it is before the start.
      greatest(extract(epoch from at - starts_at), 0)::text as elapsed_seconds,
      extract(epoch from month_ends_at(timezone, at) - starts_at)::text as total_seconds
    from month
  `);
}
