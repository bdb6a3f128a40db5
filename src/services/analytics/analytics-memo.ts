import { z } from 'zod';
import type { Settings } from '../../contract/known-settings/settings.ts';
import { readBudgets, timeZoneKey, usageKeys } from '../../contract/known-settings/token-settings.ts';
import {
  scrapingErrorSchema,
  scrapingSchema,
  tokenDaySchema,
  tokenUsageSchema,
} from '../../contract/schemas/analytics.ts';
import {
  type AnalyticsState,
  type KnownBudget,
  selectAnalyticsState,
} from '../../db/analytics/analytics-state.ts';
import type { MonthToDate } from '../../db/analytics/months.ts';
import type { Database } from '../../db/connection/database.ts';
import { valuesByKey } from '../../db/tables/settings.ts';
import { lazily } from '../../shared/waiting.ts';
import { readMonth } from './calendar.ts';
import { type AnalyticsAnswer, readScraping, readTokenUsage, type Shown } from './sections.ts';

/** What an earlier read had, and when it still holds. */
interface Remembered {
  readonly key: string;
  readonly month: MonthToDate;
}

interface RememberedUsage extends Remembered {
  readonly budget: KnownBudget | undefined;
  readonly text: UsageText;
}

/** The token usage as JSON text, in two parts: the state of the budget, between them, changes with time. */
interface UsageText {
  readonly beforeBudget: string;
  readonly afterBudget: string;
  readonly days: string;
}

interface RememberedScraping extends Remembered {
  readonly text: string;
}

/** What one call reads from. */
interface Present {
  readonly db: Database;
  readonly state: AnalyticsState;
  /** The settings that this reads are never secret. */
  readonly settings: Settings;
  readonly now: Date | undefined;
  /** Reads the month, once for all sections. */
  readonly month: () => Promise<MonthToDate>;
}

/**
 * Reads the analytics of the current month. They are sums of many rows, so it remembers the last ones, as JSON text, and
 * asks the database in one statement whether they still hold: whether what they depend on has the same version.
 */
export class AnalyticsMemo {
  #usage: RememberedUsage | undefined;
  #scraping: RememberedScraping | undefined;

  /** @param now - defaults to the database's clock */
  async read(db: Database, shown: Shown, now?: Date): Promise<AnalyticsAnswer> {
    const usage = this.#usage;
    const scraping = this.#scraping;
    const state = await selectAnalyticsState(db, usage?.budget, now);
    const settings = valuesByKey(state.settings);
    const present: Present = { db, state, settings, now, month: lazily(() => readMonth(db, settings, now)) };
    const fields = await Promise.all([
      shown.tokenUsage ? this.#usageFields(present, usage) : '',
      shown.scraping ? this.#scrapingFields(present, scraping) : '',
    ]);
    return { settings, fields: fields.join('') };
  }

  async #usageFields(
    { db, state, settings, now, month: readMonthOnce }: Present,
    remembered: RememberedUsage | undefined,
  ): Promise<string> {
    const key = keyOf(state.usage_version, settings, usageKeys);
    if (holds(remembered, key, state)) return usageFieldsOf(remembered.text, state.budget, state.alerts);
    // The key was read before the rows, so they may be newer than it says, but not older.
    const month = await readMonthOnce();
    const { tokenUsage, tokenAlerts, tokenDailyBreakdown } = await readTokenUsage(db, settings, now, month);
    tokenUsageSchema.parse(tokenUsage);
    z.array(tokenDaySchema).parse(tokenDailyBreakdown);
    const { budget, byModel, ...others } = tokenUsage;
    const text = {
      beforeBudget: JSON.stringify(others).slice(0, -1),
      afterBudget: JSON.stringify({ byModel }).slice(1),
      days: JSON.stringify(tokenDailyBreakdown),
    };
    const { total: limit } = readBudgets(settings).value;
    const known = limit === undefined ? undefined : { month, use: { cost: tokenUsage.cost, limit } };
    this.#usage = { key, month, budget: known, text };
    return usageFieldsOf(text, budget, tokenAlerts);
  }

  async #scrapingFields(
    { db, state, settings, now, month: readMonthOnce }: Present,
    remembered: RememberedScraping | undefined,
  ): Promise<string> {
    const key = keyOf(state.scraping_version, settings, [timeZoneKey]);
    if (holds(remembered, key, state)) return remembered.text;
    const month = await readMonthOnce();
    const { scraping, scrapingErrors } = await readScraping(db, settings, now, month);
    scrapingSchema.parse(scraping);
    z.array(scrapingErrorSchema).parse(scrapingErrors);
    const text = `,"scraping":${JSON.stringify(scraping)},"scrapingErrors":${JSON.stringify(scrapingErrors)}`;
    this.#scraping = { key, month, text };
    return text;
  }
}

/** Returns a text that is the same only if the version and the settings are. */
function keyOf(version: string, settings: Settings, keys: readonly string[]): string {
  return JSON.stringify([version, ...keys.map((key) => settings[key] ?? null)]);
}

/** Reports whether what is remembered has the key and is of the day of the state. */
function holds<Kind extends Remembered>(
  remembered: Kind | undefined,
  key: string,
  { at }: AnalyticsState,
): remembered is Kind {
  if (remembered?.key !== key) return false;
  const { day_starts, ends_at } = remembered.month;
  // Texts of one form, which are in the order of their times.
  return at >= (day_starts.at(-1) ?? ends_at) && at < ends_at;
}

function usageFieldsOf(
  { beforeBudget, afterBudget, days }: UsageText,
  budget: AnalyticsState['budget'],
  alerts: AnalyticsState['alerts'],
): string {
  const usage = `${beforeBudget},"budget":${JSON.stringify(budget)},${afterBudget}`;
  return `,"tokenUsage":${usage},"tokenAlerts":${JSON.stringify(alerts)},"tokenDailyBreakdown":${days}`;
}
