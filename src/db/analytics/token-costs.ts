import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TokenPrice } from '../../contract/known-settings/token-settings.ts';
import { maxNames, otherNames } from '../../contract/schemas/analytics.ts';
import type { Database } from '../connection/database.ts';
import type { MonthToDate } from './months.ts';

/** The prices of tokens in a month, by the name of the model. */
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

/** The sums of some rows of `priced`. */
export interface Usage {
  /** Null for all days. */
  readonly date: string | null;
  /** Null for all models. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly requests: number;
  readonly failedRequests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly totalTokens: number;
  /** The cost of the tokens with a price, with four decimals. Null for a model without a price. */
  readonly cost: string | null;
  /** The tokens of models without a price. */
  readonly unpricedTokens: number;
}

/** Not validated: there is a row for each model and day, and the answer is checked as a whole. */
const usageRow = z.unknown() as unknown as z.ZodType<{ readonly usage: readonly Usage[] }>;

/** Rows inserted with SQL can exceed this. Twice as much is a safe integer, so input plus output is one too. */
const maxSum = 4_500_000_000_000_000;

/** Limits a sum to a number that JSON can represent. */
function bounded(sum: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`least(coalesce(${sum}, 0), ${maxSum}::bigint)::bigint`;
}

/**
 * Returns the usage of a month by model and day, by model, by day, and in total, most tokens first. A day or model
 * without requests has no row. The models beyond those with the most tokens are one.
 */
export async function selectTokenUsage(db: Database, month: MonthToDate, prices: Prices) {
  const input = bounded(sql.fragment`sum(input_tokens)`);
  const output = bounded(sql.fragment`sum(output_tokens)`);
  return await db.oneFirst(sql.type(usageRow)`
    with ${pricedUsage(month, prices)},
    most_used as materialized (
      select provider, model from priced group by provider, model
      order by sum(input_tokens + output_tokens) desc, provider collate "C", model collate "C"
      limit ${maxNames}
    ),
    shown as (
      select date, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens, cost,
        case when most_used is null then ${otherNames} else provider end as provider,
        case when most_used is null then ${otherNames} else model end as model
      from priced left join most_used using (provider, model)
    )
    -- One JSON text: as rows of their own they would cost more than their sums.
    select coalesce(json_agg(summed order by "totalTokens" desc, provider collate "C", model collate "C"), '[]') as usage
    from (
      select date, provider, model,
        ${bounded(sql.fragment`sum(requests)`)} as requests,
        ${bounded(sql.fragment`sum(failed_requests)`)} as "failedRequests",
        ${input} as "inputTokens",
        ${output} as "outputTokens",
        ${bounded(sql.fragment`sum(cached_input_tokens)`)} as "cachedInputTokens",
        ${input} + ${output} as "totalTokens",
        (case when grouping(model) = 0 then sum(cost) else coalesce(sum(cost), 0.0000) end)::text as cost,
        ${bounded(sql.fragment`sum(input_tokens) filter (where cost is null)`)}
          + ${bounded(sql.fragment`sum(output_tokens) filter (where cost is null)`)} as "unpricedTokens"
      from shown
      group by grouping sets ((date, provider, model), (provider, model), (date), ())
    ) as summed
  `);
}

/**
 * Projects a cost to the end of the month at the rate so far. At the first instant of the month, it is the cost itself.
 *
 * @param elapsed - seconds of the month so far; by default at the instant at which it was read
 */
export function projected(
  cost: FragmentSqlToken,
  { elapsed_seconds, total_seconds }: MonthToDate,
  elapsed = sql.fragment`${elapsed_seconds}::numeric`,
): FragmentSqlToken {
  return sql.fragment`coalesce(${cost} * ${total_seconds}::numeric / nullif(${elapsed}, 0), ${cost})`;
}

const budgetState = z.object({
  limit: z.string(),
  usedRatio: z.number(),
  projectedCost: z.string().nullable(),
});

/** What a month has cost, and its budget. Decimal texts; the limit is above 0. */
export interface BudgetUse {
  readonly cost: string;
  readonly limit: string;
}

/** Compares a month's cost with its budget. */
export async function selectBudgetState(db: Database, month: MonthToDate, use: BudgetUse) {
  return await db.one(sql.type(budgetState)`${comparedBudget(month, use)}`);
}

/** Returns the query that compares a month's cost with its budget at another instant of the month. */
export function budgetStateAt(month: MonthToDate, use: BudgetUse, at: FragmentSqlToken): FragmentSqlToken {
  const elapsed = sql.fragment`greatest(extract(epoch from ${at} - ${month.starts_at}::timestamptz), 0)`;
  return comparedBudget(month, use, elapsed);
}

/**
 * The ratio is truncated to four decimals, so that it does not reach 1 before the cost reaches the limit. The cost of a month
 * that is over is no projection.
 */
function comparedBudget(
  month: MonthToDate,
  { cost, limit }: BudgetUse,
  elapsed = sql.fragment`${month.elapsed_seconds}::numeric`,
) {
  return sql.fragment`
    select
      round(budget, 2)::text as "limit",
      trunc(cost / budget, 4)::float8 as "usedRatio",
      case
        when ${elapsed} < ${month.total_seconds}::numeric
        then round(${projected(sql.fragment`cost`, month, elapsed)}, 2)::text
      end as "projectedCost"
    from (select ${cost}::numeric as cost, ${limit}::numeric as budget) as given
  `;
}
