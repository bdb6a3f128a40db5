import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { withoutStatementTimeout } from '../connection/without-statement-timeout.ts';
import { isoTimestamp } from '../timestamps.ts';

const sumDifference = z.object({
  /** The start of the quarter of an hour, ISO 8601 UTC. */
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
  return await withoutStatementTimeout(
    db,
    async (tx) =>
      await tx.any(sql.type(sumDifference)`
        with kept as (
          select starts_at, provider, model,
            array[requests, failed_requests, input_tokens, output_tokens, cached_input_tokens] as sums
          from token_usage_sums
          union all
          select starts_at, provider, model,
            array[requests, failed_requests, input_tokens, output_tokens, cached_input_tokens]
          from token_usage_deltas
        ),
        compared (starts_at, provider, model, sum, kept, actual) as (
          select starts_at, provider, model, part.name, part.value, 0
          from kept
          cross join lateral unnest(${sql.array(names, 'text')}, sums) as part (name, value)
          union all
          select starts_at, provider, model, part.name, 0, part.value
          from (
            select quarter_hour(occurred_at) as starts_at, provider, model,
              array[
                count(*), count(*) filter (where not succeeded), sum(input_tokens), sum(output_tokens),
                sum(cached_input_tokens)
              ] as sums
            from token_usage_records
            group by 1, 2, 3
          ) as actual
          cross join lateral unnest(${sql.array(names, 'text')}, sums) as part (name, value)
        )
        select ${isoTimestamp(sql.fragment`starts_at`)} as starts_at, provider, model, sum,
          sum(kept)::bigint as kept, sum(actual)::bigint as actual
        from compared
        group by compared.starts_at, provider, model, sum
        having sum(kept) <> sum(actual)
        order by compared.starts_at, provider collate "C", model collate "C", sum
      `),
  );
}

/** Reports whether there are more records than the given number. Reads at most that many and one more. */
export async function hasMoreTokenUsageThan(db: Database, records: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from token_usage_records offset ${records} limit 1`);
}

/** Sums all records again in one transaction. Blocks writers of records, but not readers. */
export async function rebuildTokenUsageSums(db: Database): Promise<void> {
  await withoutStatementTimeout(db, (tx) => tx.query(sql.unsafe`select rebuild_token_usage_sums()`));
}
