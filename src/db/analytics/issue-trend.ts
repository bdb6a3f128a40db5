import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../timestamps.ts';

const issueDay = z.object({
  /** The zone of the day. */
  timezone: z.string(),
  /** Such as `2026-09-01`. */
  date: z.string(),
  /** The first instant of the day, and of the next one. */
  starts_at: z.string(),
  ends_at: z.string(),
  by_severity: z.array(z.object({ severity: z.string(), count: z.int() })),
});

export type IssueDay = z.infer<typeof issueDay>;

/**
 * Returns how many issues were reported on each of the last days, oldest first, from the hourly counters. In zones
 * whose days start within a UTC hour, it also reads the issues of those hours, but never more.
 *
 * @param timezone - a name of the IANA database; the result says UTC if Postgres does not know the zone
 * @param now - the current time; undefined means the database's clock
 */
export async function selectIssueDays(
  db: Database,
  timezone: string,
  days: number,
  now: Date | undefined,
): Promise<readonly IssueDay[]> {
  return await db.any(sql.type(issueDay)`
    with days as materialized (
      select
        timezone, date, starts_at, ends_at,
        -- The whole UTC hours of the day: in some zones a day starts at half past.
        date_trunc('hour', starts_at + interval '1 hour' - interval '1 microsecond', 'UTC') as hours_start_at,
        date_trunc('hour', ends_at, 'UTC') as hours_end_at
      from last_days(
        ${timezone}, coalesce(${now?.toISOString() ?? null}::timestamptz, statement_timestamp()), ${days}::integer
      )
    ), deltas as materialized (
      select hour_starts_at, severity, sum(change) as count
      from issue_count_deltas
      where hour_starts_at >= (select min(starts_at) from days) - interval '1 hour'
      group by 1, 2
    ), counted as (
      select date, part.severity, sum(part.count)::bigint as count
      from days
      cross join lateral (
        select severity, count from issue_buckets
        where width = 'hour' and issue_buckets.starts_at >= hours_start_at and issue_buckets.starts_at < hours_end_at
        union all
        select severity, count from deltas
        where hour_starts_at >= hours_start_at and hour_starts_at < hours_end_at
        union all
        select severity, count(*) from issues
        where created_at >= days.starts_at and created_at < hours_start_at
        group by severity
        union all
        select severity, count(*) from issues
        where created_at >= hours_end_at and created_at < days.ends_at
        group by severity
      ) as part
      group by date, part.severity
    )
    select
      timezone, days.date,
      ${isoTimestamp(sql.fragment`days.starts_at`)} as starts_at,
      ${isoTimestamp(sql.fragment`days.ends_at`)} as ends_at,
      (
        select coalesce(json_agg(
          json_build_object('severity', severity, 'count', count) order by severity collate "C"
        ), '[]')
        from counted
        -- Leave out wrong counters, which may even be negative. The commands doctor and recount report them.
        where counted.date = days.date and count > 0
      ) as by_severity
    from days
    order by days.date
  `);
}
