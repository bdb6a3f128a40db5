import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { withoutStatementTimeout } from '../connection/without-statement-timeout.ts';
import { isoTimestamp } from '../timestamps.ts';

const counterDifference = z.object({
  /** What is counted by: a column of all time, or the UTC hour or day of created_at together with severity. */
  counter: z.enum(['severity', 'status', 'category', 'hour', 'day']),
  /** The severity, status or category. */
  key: z.string(),
  /** Where the hour or day starts, ISO 8601 in UTC; null for a counter of all time. */
  starts_at: z.string().nullable(),
  counted: z.int(),
  actual: z.int(),
});

/** A counter that is not what a count of the issues gives. */
export type CounterDifference = z.infer<typeof counterDifference>;

/**
 * Compares every counter behind `issue_statistics` with a count of all issues, in one snapshot. Scans the
 * table, so it takes its time, and no other statement waits for it.
 *
 * @returns the differences, none where the counters are right.
 */
export async function checkIssueCounters(db: Database): Promise<readonly CounterDifference[]> {
  return await withoutStatementTimeout(
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
        compared (counter, key, starts_at, counted, actual) as (
          select dimension, key, null::timestamptz, count, 0 from issue_totals
          union all
          select width, severity, starts_at, count, 0 from issue_buckets
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

/** Whether there are more issues than that; it reads no more of them than it takes to know. */
export async function hasMoreIssuesThan(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from issues offset ${count} limit 1`);
}

/** Counts every issue again, in one transaction; writers of issues wait for it, readers don't. */
export async function rebuildIssueCounters(db: Database): Promise<void> {
  await withoutStatementTimeout(db, (tx) => tx.query(sql.unsafe`select rebuild_issue_counters()`));
}
