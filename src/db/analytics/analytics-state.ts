import { sql } from 'slonik';
import { z } from 'zod';
import { tokenAlertSchema, tokenUsageSchema } from '../../contract/schemas/analytics.ts';
import type { Database } from '../connection/database.ts';
import { versionOf } from '../lists/table-versions.ts';
import { readableSettings, settingRow } from '../tables/settings.ts';
import { listedTokenAlerts } from '../tables/usage/token-usage.ts';
import { isoTimestamp } from '../timestamps.ts';
import type { MonthToDate } from './months.ts';
import { type BudgetUse, budgetStateAt } from './token-costs.ts';

const analyticsState = z.object({
  /** The settings that anybody may read, ordered by key. */
  settings: z.array(settingRow),
  /** The database's clock, ISO 8601 UTC. */
  at: z.string(),
  usage_version: z.string(),
  scraping_version: z.string(),
  alerts: z.array(tokenAlertSchema),
  budget: tokenUsageSchema.shape.budget,
});

export type AnalyticsState = z.infer<typeof analyticsState>;

/** Another text after each change of the sums of token usage. */
const usageVersion = sql.fragment`(
  select coalesce(bit_xor(version), 0)::text
  from (
    select version from table_versions where table_name = 'token_usage_records'
    union all
    select change from token_usage_deltas where starts_at >= '-infinity'
  ) as part
)`;

/** A budget that was compared before, and the month that it is for. */
export interface KnownBudget {
  readonly month: MonthToDate;
  readonly use: BudgetUse;
}

/**
 * Reads, in one snapshot, everything that the settings answer depends on and that takes no sum: it tells whether analytics
 * that were read before still hold.
 *
 * @param now - the current time; undefined means the database's clock
 */
export async function selectAnalyticsState(
  db: Database,
  known: KnownBudget | undefined,
  now: Date | undefined,
): Promise<AnalyticsState> {
  const at =
    now === undefined ? sql.fragment`statement_timestamp()` : sql.fragment`${now.toISOString()}::timestamptz`;
  const budget =
    known === undefined
      ? sql.fragment`null::json`
      : sql.fragment`(select row_to_json(state) from (${budgetStateAt(known.month, known.use, at)}) as state)`;
  return await db.one(sql.type(analyticsState)`
    select
      (
        select coalesce(json_agg(setting), '[]') from (${readableSettings}) as setting
      ) as settings,
      ${isoTimestamp(at)} as at,
      ${usageVersion} as usage_version,
      ${versionOf(['scraping_runs', 'scraping_errors'])} as scraping_version,
      (select coalesce(json_agg(alert), '[]') from (${listedTokenAlerts}) as alert) as alerts,
      ${budget} as budget
  `);
}
