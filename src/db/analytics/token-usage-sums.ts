import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { withoutTimeouts } from '../connection/database.ts';
import { isoTimestamp } from '../timestamps.ts';

const sumDifference = z.object({
  /** How long the time is that the sum is of. */
  width: z.enum(['quarter', 'hour', 'day']),
  /** The start of that time, ISO 8601 UTC. */
  starts_at: z.string(),
  provider: z.string(),
  model: z.string(),
  sum: z.enum(['requests', 'failed_requests', 'input_tokens', 'output_tokens', 'cached_input_tokens']),
  // A wrong sum may exceed the safe integers.
  kept: z.number(),
  actual: z.number(),
});

/** A sum that differs from the records. */
export type SumDifference = z.infer<typeof sumDifference>;

/**
 * Compares each sum of token usage with the records, in one snapshot. Reads all records, so it may take long, but
 * blocks no other statement.
 *
 * @returns the differences; empty if the sums are right
 */
export async function checkTokenUsageSums(db: Database): Promise<readonly SumDifference[]> {
  const names = ['requests', 'failed_requests', 'input_tokens', 'output_tokens', 'cached_input_tokens'];
  const columns = names.map((name) => sql.identifier([name]));
  const sums = sql.fragment`array[${sql.join(columns, sql.fragment`, `)}]::numeric[] as sums`;
  const widths = sql.fragment`(
    values
      ('quarter', quarters.starts_at),
      ('hour', date_trunc('hour', quarters.starts_at, 'UTC')),
      ('day', date_trunc('day', quarters.starts_at, 'UTC'))
  ) as part (width, starts_at)`;
  return await withoutTimeouts(
    db,
    async (tx) =>
      await tx.any(sql.type(sumDifference)`
        with kept as (
          select 'quarter' as width, starts_at, provider, model, ${sums} from token_usage_sums
          union all
          select width, starts_at, provider, model, ${sums} from token_usage_buckets
          union all
          select part.width, part.starts_at, provider, model, ${sums}
          from token_usage_deltas as quarters
          cross join lateral ${widths}
        ),
        compared (width, starts_at, provider, model, sum, kept, actual) as (
          select width, starts_at, provider, model, part.name, part.value, 0
          from kept
          cross join lateral unnest(${sql.array(names, 'text')}, sums) as part (name, value)
          union all
          select width, starts_at, provider, model, part.name, 0, part.value
          from (
            select part.width, part.starts_at, provider, model, ${sums}
            from (
              select quarter_hour(occurred_at) as starts_at, provider, model,
                count(*) as requests, count(*) filter (where not succeeded) as failed_requests,
                sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
                sum(cached_input_tokens) as cached_input_tokens
              from token_usage_records
              group by 1, 2, 3
            ) as quarters
            cross join lateral ${widths}
          ) as actual
          cross join lateral unnest(${sql.array(names, 'text')}, sums) as part (name, value)
        )
        select width, ${isoTimestamp(sql.fragment`starts_at`)} as starts_at, provider, model, sum,
          sum(kept)::bigint as kept, sum(actual)::bigint as actual
        from compared
        group by width, compared.starts_at, provider, model, sum
        having sum(kept) <> sum(actual)
        order by width = 'quarter' desc, width = 'hour' desc, compared.starts_at, provider collate "C", model collate "C", sum
      `),
  );
}

/** Reports whether there are more records than the given number. Reads at most that many and one more. */
export async function hasMoreTokenUsageThan(db: Database, records: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from token_usage_records offset ${records} limit 1`);
}

/** Sums all records again in one transaction. Blocks writers of records, but not readers. */
export async function rebuildTokenUsageSums(db: Database): Promise<void> {
  await withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select rebuild_token_usage_sums()`));
}
