import type { Settings } from '../../contract/known-settings/settings.ts';
import { currencyOf, readBudgets, readPrices } from '../../contract/known-settings/token-settings.ts';
import type { MonthToDate } from '../../db/analytics/months.ts';
import { selectBudgetState, selectTokenUsage, type Usage } from '../../db/analytics/token-costs.ts';
import { rebuildTokenUsageSums } from '../../db/analytics/token-usage-sums.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { selectTokenAlerts } from '../../db/tables/usage/token-usage.ts';
import type { AnalyticsSections } from './analytics-of-month.ts';
import { readMonth } from './calendar.ts';
import { refreshTokenAlerts } from './token-alerts.ts';

/**
 * Returns the token usage of the current month, its alerts, and its days so far. Future days are left out, because a
 * zero would claim that nothing was used. A record dated after today counts once its day has come.
 *
 * @param now - defaults to the database's clock
 * @param monthRead - the month, if the caller reads it too
 */
export async function readTokenUsage(
  db: Database,
  settings: Settings,
  now?: Date,
  monthRead?: MonthToDate,
): Promise<Pick<AnalyticsSections, 'tokenUsage' | 'tokenAlerts' | 'tokenDailyBreakdown'>> {
  const month = monthRead ?? (await readMonth(db, settings, now));
  const [usage, tokenAlerts] = await Promise.all([readUsageOf(db, settings, month), selectTokenAlerts(db)]);
  return { ...usage, tokenAlerts: [...tokenAlerts] };
}

/** Returns the token usage of a month and of its days. */
export async function readUsageOf(
  db: Database,
  settings: Settings,
  month: MonthToDate,
): Promise<Pick<AnalyticsSections, 'tokenUsage' | 'tokenDailyBreakdown'>> {
  const usage = await selectTokenUsage(db, month, readPrices(settings).value);
  const byDate = Map.groupBy(usage, ({ date }) => date);
  const totals = totalOf(byDate.get(null));
  const { total: limit } = readBudgets(settings).value;
  return {
    tokenUsage: {
      month: month.month,
      timezone: month.timezone,
      ...totals,
      currency: currencyOf(settings),
      unpricedTokens: byDate.get(null)?.find(isTotal)?.unpricedTokens ?? 0,
      budget: limit === undefined ? null : await selectBudgetState(db, month, { cost: totals.cost, limit }),
      byModel: byModel(byDate.get(null)),
    },
    tokenDailyBreakdown: month.dates.map((date) => ({
      date,
      ...totalOf(byDate.get(date)),
      byModel: byModel(byDate.get(date)),
    })),
  };
}

const isTotal = ({ model }: Usage) => model === null;

/** Returns the totals over all models, or zeros for a day without usage. */
function totalOf(
  usage: readonly Usage[] = [],
): Omit<AnalyticsSections['tokenDailyBreakdown'][number], 'date' | 'byModel'> {
  const total = usage.find(isTotal);
  return {
    requests: total?.requests ?? 0,
    failedRequests: total?.failedRequests ?? 0,
    inputTokens: total?.inputTokens ?? 0,
    outputTokens: total?.outputTokens ?? 0,
    cachedInputTokens: total?.cachedInputTokens ?? 0,
    totalTokens: total?.totalTokens ?? 0,
    cost: total?.cost ?? '0.0000',
  };
}

function byModel(usage: readonly Usage[] = []): AnalyticsSections['tokenUsage']['byModel'] {
  return usage.flatMap(({ model, provider, requests, inputTokens, outputTokens, totalTokens, cost }) =>
    model === null || provider === null
      ? []
      : [{ model, provider, requests, inputTokens, outputTokens, totalTokens, cost }],
  );
}

/** Recomputes the sums of token usage from every record, then the alerts from the new sums. */
export async function recomputeTokenUsage({ databases }: { readonly databases: Databases }): Promise<void> {
  await rebuildTokenUsageSums(databases.primary);
  await refreshTokenAlerts({ databases });
}
