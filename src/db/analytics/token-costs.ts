import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TokenPrice } from '../../contract/known-settings/token-settings.ts';
import { count } from '../../contract/schemas/fields.ts';
import type { Database } from '../connection/pool.ts';
import type { MonthToDate } from './months.ts';

/** The prices of tokens by the name of the model. */
export type Prices = ReadonlyMap<string, TokenPrice>;

/**
 * Returns the usage of a month as the common table expression `priced`: a row for each day, provider and model with its
 * sums and its cost, which is null if the model has no price. The cost of a row has four decimals, and every other cost
 * is a sum of these, so a month is exactly the sum of its days.
 */
export function pricedUsage(month: MonthToDate, prices: Prices): FragmentSqlToken {
  return sql.fragment`
    price (model, input, output, cached_input) as (
      select * from ${sql.unnest(
        [...prices].map(([model, { input, output, cached_input }]) => [
          model,
          input,
          output,
          cached_input ?? input,
        ]),
        ['text', 'numeric', 'numeric', 'numeric'],
      )} as given
    ),
    used as (
      select *
      from token_usage_by_day(
        ${sql.array(month.dates, 'text')}, ${sql.array(month.day_starts, 'timestamptz')},
        ${month.starts_at}::timestamptz, ${month.ends_at}::timestamptz
      )
    ),
    priced as materialized (
      select used.*, round(
        ((input_tokens - cached_input_tokens) * price.input + cached_input_tokens * price.cached_input
          + output_tokens * price.output) * 0.000001, 4
      ) as cost
      from used
      left join price using (model)
    )
  `;
}

const usage = z.object({
  /** Null for all days. */
  date: z.string().nullable(),
  /** Null for all models. */
  provider: z.string().nullable(),
  model: z.string().nullable(),
  requests: count,
  failedRequests: count,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  totalTokens: count,
  /** The cost of the tokens with a price, with four decimals. Null for a model without a price. */
  cost: z.string().nullable(),
  /** The tokens of models without a price. */
  unpricedTokens: count,
});

export type Usage = z.infer<typeof usage>;

/** Rows inserted with SQL can exceed this. Twice as much is a safe integer, so input plus output is one too. */
const maxSum = 4_500_000_000_000_000;

/** Limits a sum to a number that JSON can represent. */
function bounded(sum: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`least(coalesce(${sum}, 0), ${maxSum}::bigint)::bigint`;
}

/**
 * Returns the usage of a month by model and day, by model, by day, and in total, most tokens first. A day or model
 * without requests has no row.
 */
export async function selectTokenUsage(
  db: Database,
  month: MonthToDate,
  prices: Prices,
): Promise<readonly Usage[]> {
  const input = bounded(sql.fragment`sum(input_tokens)`);
  const output = bounded(sql.fragment`sum(output_tokens)`);
  return await db.any(sql.type(usage)`
    with ${pricedUsage(month, prices)}
    select date, provider, model,
      ${bounded(sql.fragment`sum(requests)`)} as requests,
      ${bounded(sql.fragment`sum(failed_requests)`)} as "failedRequests",
      ${input} as "inputTokens",
      ${output} as "outputTokens",
      ${bounded(sql.fragment`sum(cached_input_tokens)`)} as "cachedInputTokens",
      ${input} + ${output} as "totalTokens",
      case when grouping(model) = 0 then sum(cost) else coalesce(sum(cost), 0.0000) end as cost,
      ${bounded(sql.fragment`sum(input_tokens) filter (where cost is null)`)}
        + ${bounded(sql.fragment`sum(output_tokens) filter (where cost is null)`)} as "unpricedTokens"
    from priced
    group by grouping sets ((date, provider, model), (provider, model), (date), ())
    order by "totalTokens" desc, provider collate "C", model collate "C"
  `);
}

/**
 * Projects a cost to the end of the month at the rate so far. At the first instant of the month, it is the cost itself.
 */
export function projected(cost: FragmentSqlToken, month: MonthToDate): FragmentSqlToken {
  return sql.fragment`coalesce(
    ${cost} * ${month.total_seconds}::numeric / nullif(${month.elapsed_seconds}::numeric, 0), ${cost}
  )`;
}

const budgetState = z.object({ limit: z.string(), usedRatio: z.number(), projectedCost: z.string() });

/**
 * Compares a month's cost with its budget. The ratio is truncated to four decimals, so that it does not reach 1 before
 * the cost reaches the limit.
 *
 * @param limit - a decimal text above 0
 */
export async function selectBudgetState(
  db: Database,
  month: MonthToDate,
  cost: string,
  limit: string,
): Promise<z.infer<typeof budgetState>> {
  return await db.one(sql.type(budgetState)`
    select
      round(budget, 2) as "limit",
      trunc(cost / budget, 4)::float8 as "usedRatio",
      round(${projected(sql.fragment`cost`, month)}, 2) as "projectedCost"
    from (select ${cost}::numeric as cost, ${limit}::numeric as budget) as given
  `);
}
