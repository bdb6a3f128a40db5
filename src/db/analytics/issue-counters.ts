import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, withoutTimeouts } from '../connection/database.ts';
import { isoTimestamp } from '../timestamps.ts';

const counterDifference = z.object({
  /** The kind of counter: all issues by a column, or issues by severity in a UTC unit of time of created_at. */
  counter: z.enum(['severity', 'status', 'category', 'second', 'minute', 'hour', 'day']),
  /** The severity, status or category. */
  key: z.string(),
  /** The start of the unit of time, ISO 8601 UTC. Null for a counter of all issues. */
  starts_at: z.string().nullable(),
  counted: z.int(),
  actual: z.int(),
});

/** A counter that differs from a count of the issues. */
export type CounterDifference = z.infer<typeof counterDifference>;

/**
 * Compares each counter of `issue_statistics` with a count of all issues, in one snapshot. Scans the whole table, so it
 * may take long, but blocks no other statement.
 *
 * @returns the differences; empty if the counters are right
 */
export async function checkIssueCounters(db: Database): Promise<readonly CounterDifference[]> {
  return await withoutTimeouts(
    db,
    async (tx) =>
      await tx.any(sql.type(counterDifference)`
        with issue_groups (severity, status, category, hour_starts_at, counted, actual) as (
          select severity, status, category, date_trunc('hour', created_at, 'UTC'), 0, count(*)
          from issues
          group by 1, 2, 3, 4
          union all
          select severity, status, category, hour_starts_at, change, 0 from issue_count_deltas
        ),
        split_groups (part, severity, starts_at, counted, actual) as (
          select part, severity, date_trunc(part, changed_at, 'UTC'), sum(counted), sum(actual)
          from (
            select severity, created_at as changed_at, 0 as counted, 1 as actual from issues
            union all
            select severity, second_starts_at, change, 0 from issue_count_deltas
          ) as changed
          cross join (values ('hour', 'minute'), ('minute', 'second')) as divided (width, part)
          join issue_bucket_splits as split
            on split.width = divided.width and is_filled
              and split.starts_at = date_trunc(divided.width, changed_at, 'UTC')
          group by 1, 2, 3
        ),
        compared (counter, key, starts_at, counted, actual) as (
          select dimension, key, null::timestamptz, count, 0 from issue_totals
          union all
          select width, severity, starts_at, count, 0 from issue_buckets
          union all
          select part, severity, starts_at, counted, actual from split_groups
          union all
          select part.counter, part.key, part.starts_at, counted, actual
          from issue_groups
          cross join lateral (
            values
              ('severity', severity, null),
              ('status', status, null),
              ('category', category, null),
              ('hour', severity, hour_starts_at),
              ('day', severity, date_trunc('day', hour_starts_at, 'UTC'))
          ) as part (counter, key, starts_at)
        )
        select
          counter,
          key,
          ${isoTimestamp(sql.fragment`starts_at`)} as starts_at,
          sum(counted)::bigint as counted,
          sum(actual)::bigint as actual
        from compared
        group by counter, key, compared.starts_at
        having sum(counted) <> sum(actual)
        order by counter, compared.starts_at, key collate "C"
      `),
  );
}

/** Reports whether there are more issues than the given number. Reads at most that many and one more. */
export async function hasMoreIssuesThan(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from issues offset ${count} limit 1`);
}

/** Counts all issues again in one transaction. Blocks writers of issues, but not readers. */
export async function rebuildIssueCounters(db: Database): Promise<void> {
  await withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select rebuild_issue_counters()`));
}

/**
 * Counts issues from the counters, without reading an issue.
 *
 * @param dimension - the column that the values are of
 * @param values - counts only issues with one of these; undefined counts all
 */
export function issueTotal(dimension: 'severity' | 'status' | 'category', values?: readonly string[]) {
  const wanted = values === undefined ? sql.fragment`true` : sql.array([...values], 'text');
  const counted =
    values &&
    sql.fragment`key_digest = any(array(select text_digest(value) from unnest(${wanted}) as value))`;
  const changed = values && sql.fragment`${sql.identifier([dimension])} = any(${wanted})`;
  return sql.unsafe`
    select coalesce(sum(count), 0)::bigint as total
    from (
      select count from issue_totals where dimension = ${dimension} and ${counted ?? sql.fragment`true`}
      union all
      select change from issue_count_deltas where hour_starts_at >= '-infinity' and ${changed ?? sql.fragment`true`}
    ) as part
  `;
}

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
export async function selectIssueDays(db: Database, timezone: string, days: number, now: Date | undefined) {
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
