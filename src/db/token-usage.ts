import { sql } from 'slonik';
import { z } from 'zod';
import { tokenAlertSchema } from '../contract/analytics.ts';
import { count } from '../contract/fields.ts';
import { isoTimestamp } from './json.ts';
import type { MonthToDate } from './months.ts';
import type { Database } from './pool.ts';

/** Alerts are few, a handful per month; this bounds the answer where a wrong rule wrote many. */
const maximumAlerts = 100;

const modelDay = z.object({
  date: z.string(),
  provider: z.string(),
  model: z.string(),
  requests: count,
  failedRequests: count,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
});

/** What the requests to one model used on one day. */
export type ModelDay = z.infer<typeof modelDay>;

/** The usage of a month by day and model, in no particular order; a day or model without requests has no row. */
export async function selectTokenUsage(db: Database, month: MonthToDate): Promise<readonly ModelDay[]> {
  // One range of the index, however many days; width_bucket finds the last day that began by then.
  return await db.any(sql.type(modelDay)`
    select
      (${sql.array(month.dates, 'text')})[width_bucket(occurred_at, ${sql.array(month.day_starts, 'timestamptz')})] as date,
      provider,
      model,
      count(*) as requests,
      count(*) filter (where not succeeded) as "failedRequests",
      sum(input_tokens)::bigint as "inputTokens",
      sum(output_tokens)::bigint as "outputTokens",
      sum(cached_input_tokens)::bigint as "cachedInputTokens"
    from token_usage_records
    where occurred_at >= ${month.starts_at}::timestamptz and occurred_at < ${month.ends_at}::timestamptz
    group by 1, 2, 3
  `);
}

/** The alerts of all months, the firing ones first, then the newest. */
export async function selectTokenAlerts(db: Database): Promise<readonly z.infer<typeof tokenAlertSchema>[]> {
  return await db.any(sql.type(tokenAlertSchema)`
    select id, metric, model, period, threshold::float8 as threshold,
      limit_amount as "limit", current_amount as current, severity, status,
      ${isoTimestamp(sql.fragment`triggered_at`)} as "triggeredAt", message
    from token_alerts
    order by status <> 'firing', triggered_at desc, id desc
    limit ${maximumAlerts}
  `);
}
