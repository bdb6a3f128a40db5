import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { withoutTimeouts } from '../connection/database.ts';
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
export function issueTotal(
  dimension: 'severity' | 'status' | 'category',
  values?: readonly string[],
): QuerySqlToken {
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
