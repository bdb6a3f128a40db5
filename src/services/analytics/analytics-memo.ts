import type { Settings } from '../../contract/known-settings/settings.ts';
import { readBudgets, timeZoneKey, usageKeys } from '../../contract/known-settings/token-settings.ts';
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
import { readScraping } from './scraping.ts';
import { readTokenUsage } from './token-usage.ts';

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

/** What an earlier read had, as JSON text, and when it still holds. */
interface Remembered {
  /** The version of what it was read from, and the values of the settings that it depends on. */
  readonly key: string;
  readonly month: MonthToDate;
  /** In parts: the state of the budget and the alerts, between them, change with time. */
  readonly text: readonly string[];
  readonly budget?: KnownBudget | undefined;
}

/** What one call reads from. */
interface Present {
  readonly db: Database;
  readonly state: AnalyticsState;
  /** The settings that this reads are never secret. */
  readonly settings: Settings;
  readonly now: Date | undefined;
  /** Reads the month, once for all sections. */
  readonly readMonthOnce: () => Promise<MonthToDate>;
}

/**
 * Reads the analytics of the current month. They are sums of many rows, so it remembers the last ones, as JSON text, and
 * asks the database in one statement whether they still hold: whether what they depend on has the same version.
 */
export class AnalyticsMemo {
  #usage: Remembered | undefined;
  #scraping: Remembered | undefined;

  /** @param now - defaults to the database's clock */
  async read(db: Database, shown: Shown, now?: Date): Promise<AnalyticsAnswer> {
    const usage = this.#usage;
    const scraping = this.#scraping;
    const state = await selectAnalyticsState(db, usage?.budget, now);
    const settings = valuesByKey(state.settings);
    const readMonthOnce = lazily(() => readMonth(db, settings, now));
    const present: Present = { db, state, settings, now, readMonthOnce };
    const fields = await Promise.all([
      shown.tokenUsage ? this.#usageFields(present, usage) : '',
      shown.scraping ? this.#scrapingFields(present, scraping) : '',
    ]);
    return { settings, fields: fields.join('') };
  }

  async #usageFields(present: Present, remembered: Remembered | undefined): Promise<string> {
    const { db, state, settings, now, readMonthOnce } = present;
    const key = keyOf(state.usage_version, settings, usageKeys);
    if (holds(remembered, key, state)) return usageFields(remembered, state.budget, state.alerts);
    // The key was read before the rows, so they may be newer than it says, but not older.
    const month = await readMonthOnce();
    const { tokenUsage, tokenAlerts, tokenDailyBreakdown } = await readTokenUsage(db, settings, now, month);
    const { budget, byModel, ...others } = tokenUsage;
    const { total: limit } = readBudgets(settings).value;
    const read = {
      key,
      month,
      budget: limit === undefined ? undefined : { month, use: { cost: tokenUsage.cost, limit } },
      text: [
        `,"tokenUsage":${JSON.stringify(others).slice(0, -1)},"budget":`,
        `,${JSON.stringify({ byModel }).slice(1)},"tokenAlerts":`,
        `,"tokenDailyBreakdown":${JSON.stringify(tokenDailyBreakdown)}`,
      ],
    };
    this.#usage = read;
    return usageFields(read, budget, tokenAlerts);
  }

  async #scrapingFields(present: Present, remembered: Remembered | undefined): Promise<string> {
    const { db, state, settings, now, readMonthOnce } = present;
    const key = keyOf(state.scraping_version, settings, [timeZoneKey]);
    if (holds(remembered, key, state)) return remembered.text.join('');
    const month = await readMonthOnce();
    const { scraping, scrapingErrors } = await readScraping(db, settings, now, month);
    const text = `,"scraping":${JSON.stringify(scraping)},"scrapingErrors":${JSON.stringify(scrapingErrors)}`;
    this.#scraping = { key, month, text: [text] };
    return text;
  }
}

/** Returns a text that is the same only if the version and the settings are. */
function keyOf(version: string, settings: Settings, keys: readonly string[]): string {
  return JSON.stringify([version, ...keys.map((key) => settings[key] ?? null)]);
}

/** Reports whether what is remembered has the key and is of the day of the state. */
function holds(
  remembered: Remembered | undefined,
  key: string,
  { at }: AnalyticsState,
): remembered is Remembered {
  if (remembered?.key !== key) return false;
  const { day_starts, ends_at } = remembered.month;
  // Texts of one form, which are in the order of their times.
  return at >= (day_starts.at(-1) ?? ends_at) && at < ends_at;
}

function usageFields(
  { text: [beforeBudget, afterBudget, afterAlerts] }: Remembered,
  budget: AnalyticsState['budget'],
  alerts: AnalyticsState['alerts'],
): string {
  return `${beforeBudget}${JSON.stringify(budget)}${afterBudget}${JSON.stringify(alerts)}${afterAlerts}`;
}
