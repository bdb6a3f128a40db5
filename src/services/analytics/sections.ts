import { z } from 'zod';
import type { Settings } from '../../contract/known-settings/settings.ts';
import { currencyOf, pricesIn, readBudgets } from '../../contract/known-settings/token-settings.ts';
import { currentMonth, settingErrors } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { scrapingSchema, tokenDaySchema, tokenUsageSchema } from '../../contract/schemas/analytics.ts';
import type { MonthToDate } from '../../db/analytics/months.ts';
import {
  selectRunSummaries,
  selectRunSummariesByDay,
  selectScrapingErrors,
} from '../../db/analytics/scraping-summaries.ts';
import { selectBudgetState, selectTokenUsage, type Usage } from '../../db/analytics/token-costs.ts';
import { rebuildTokenUsageSums } from '../../db/analytics/token-usage-sums.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { selectReadableSettings } from '../../db/tables/settings.ts';
import { selectTokenAlerts, selectTokenAlertsOf } from '../../db/tables/usage/token-usage.ts';
import { refuse } from '../call/refuse.ts';
import { readMonth } from './calendar.ts';
import { refreshTokenAlerts } from './token-alerts.ts';

/** The parts of the settings answer that are read on demand. */
export interface Shown {
  readonly tokenUsage: boolean;
  readonly scraping: boolean;
}

export interface AnalyticsAnswer {
  /** The settings that anybody may read. */
  readonly settings: Settings;
  /** The shown sections as fields of a JSON object, each after a comma. */
  readonly fields: string;
}

/** The sections of the settings answer, each present. */
type AnalyticsSections = {
  [Section in keyof OutputOf<'settings.show'>]-?: NonNullable<OutputOf<'settings.show'>[Section]>;
};

/**
 * Returns the token usage of the current month, its alerts, and its days so far. Future days are left out, because a
 * zero would claim that nothing was used. A record dated after today counts once its day has come.
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

async function readUsageOf(db: Database, settings: Settings, month: MonthToDate) {
  const usage = await selectTokenUsage(db, month, pricesIn(settings, month.month));
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

/**
 * Returns the scraping runs that started in the current month, in total and by source, and the newest errors of any
 * month. A run that is still running counts in `runs`, but not in the counts of ended runs.
 */
export async function readScraping(
  db: Database,
  settings: Settings,
  now?: Date,
  monthRead?: MonthToDate,
): Promise<Pick<AnalyticsSections, 'scraping' | 'scrapingErrors'>> {
  const month = monthRead ?? (await readMonth(db, settings, now));
  const [scraping, errors] = await Promise.all([readRunsOf(db, month), selectScrapingErrors(db)]);
  return { scraping, scrapingErrors: [...errors] };
}

async function readRunsOf(db: Database, month: MonthToDate): Promise<AnalyticsSections['scraping']> {
  const { all, bySource } = await selectRunSummaries(db, month);
  return { month: month.month, timezone: month.timezone, ...all, bySource };
}

/** Reads the analytics of a month such as `2026-08` or `current`. Refuses a month that has not begun. */
export async function readAnalyticsOfMonth(
  db: Database,
  shown: Shown,
  name: string,
  now?: Date,
): Promise<AnalyticsAnswer> {
  // The settings that this reads are never secret.
  const settings = await selectReadableSettings(db);
  const month = await readMonth(db, settings, now, name === currentMonth ? undefined : name);
  if (name !== currentMonth && month.month !== name) refuse(settingErrors.futureMonth);
  const sections: Partial<AnalyticsSections> = {};
  if (shown.tokenUsage) {
    const { tokenUsage, tokenDailyBreakdown } = await readUsageOf(db, settings, month);
    const tokenAlerts = [...(await selectTokenAlertsOf(db, month.month))];
    z.array(tokenDaySchema).parse(tokenDailyBreakdown);
    Object.assign(sections, {
      tokenUsage: tokenUsageSchema.parse(tokenUsage),
      tokenAlerts,
      tokenDailyBreakdown,
    });
  }
  if (shown.scraping) {
    const scraping = scrapingSchema.parse(await readRunsOf(db, month));
    const days = await selectRunSummariesByDay(db, month);
    const scrapingDailyBreakdown = days.map(({ all, bySource, ...day }) => ({ ...day, ...all, bySource }));
    const scrapingErrors = [...(await selectScrapingErrors(db, month))];
    Object.assign(sections, { scraping, scrapingDailyBreakdown, scrapingErrors });
  }
  const fields = JSON.stringify(sections).slice(1, -1);
  return { settings, fields: fields === '' ? '' : `,${fields}` };
}
