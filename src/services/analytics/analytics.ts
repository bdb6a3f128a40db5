import { currencyOf, readBudgets, readPrices } from '../../contract/known-settings/token-settings.ts';
import type { Settings } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { selectRunSummaries, selectScrapingErrors } from '../../db/analytics/scraping-summaries.ts';
import { selectBudgetState, selectTokenUsage, type Usage } from '../../db/analytics/token-costs.ts';
import type { Database } from '../../db/connection/pool.ts';
import { selectTokenAlerts } from '../../db/tables/token-alerts.ts';
import { readMonth } from './calendar.ts';

type Analytics = {
  [Field in keyof OutputOf<'settings.show'>]-?: NonNullable<OutputOf<'settings.show'>[Field]>;
};

/**
 * The token usage of the present month, with its alerts and its days so far. The days to come are left out: a zero
 * is a reading, and they have none. A record dated after today counts when its day comes.
 *
 * @param now - the instant to read at; the database's clock where it is undefined
 */
export async function readTokenUsage(
  db: Database,
  settings: Settings,
  now?: Date,
): Promise<Pick<Analytics, 'tokenUsage' | 'tokenAlerts' | 'tokenDailyBreakdown'>> {
  const month = await readMonth(db, settings, now);
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
      budget: limit === undefined ? null : await selectBudgetState(db, month, totals.cost, limit),
      byModel: byModel(byDate.get(null)),
    },
    tokenAlerts: [...(await selectTokenAlerts(db))],
    tokenDailyBreakdown: month.dates.map((date) => ({
      date,
      ...totalOf(byDate.get(date)),
      byModel: byModel(byDate.get(date)),
    })),
  };
}

const isTotal = ({ model }: Usage) => model === null;

/** The sum of all models; of a day without usage, zeros. */
function totalOf(
  usage: readonly Usage[] = [],
): Omit<Analytics['tokenDailyBreakdown'][number], 'date' | 'byModel'> {
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

function byModel(usage: readonly Usage[] = []): Analytics['tokenUsage']['byModel'] {
  return usage.flatMap(({ model, provider, requests, inputTokens, outputTokens, totalTokens, cost }) =>
    model === null || provider === null
      ? []
      : [{ model, provider, requests, inputTokens, outputTokens, totalTokens, cost }],
  );
}

/**
 * The scraping runs that started in the present month, in all and by source, and the newest errors of any month.
 * A run under way counts in `runs` alone of the four counts of runs.
 *
 * @param now - the instant to read at; the database's clock where it is undefined
 */
export async function readScraping(
  db: Database,
  settings: Settings,
  now?: Date,
): Promise<Pick<Analytics, 'scraping' | 'scrapingErrors'>> {
  const month = await readMonth(db, settings, now);
  const { all, bySource } = await selectRunSummaries(db, month);
  return {
    scraping: { month: month.month, timezone: month.timezone, ...all, bySource },
    scrapingErrors: [...(await selectScrapingErrors(db))],
  };
}
