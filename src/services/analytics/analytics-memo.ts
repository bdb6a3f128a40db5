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
import { type AnalyticsAnswer, readScraping, readTokenUsage, type Shown } from './sections.ts';

/** What an earlier read had, as JSON text, and when it still holds. */
interface Remembered {
  /** The version of what it was read from, and the values of the settings that it depends on. */
  readonly key: string;
  readonly month: MonthToDate;
  /** In parts: the state of the budget and the alerts, between them, change with time. */
  readonly text: readonly string[];
  readonly budget?: KnownBudget | undefined;
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
    // These settings are never secret.
    const settings = valuesByKey(state.settings);
    const readMonthOnce = lazily(() => readMonth(db, settings, now));

    const usageFields = async () => {
      const key = keyOf(state.usage_version, settings, usageKeys);
      if (holds(usage, key, state)) return usageText(usage, state.budget, state.alerts);
      // The key was read before the rows, so they may be newer than it says, but not older.
      const month = await readMonthOnce();
      const found = await readTokenUsage(db, settings, now, month);
      const { budget, byModel, ...others } = found.tokenUsage;
      const { total: limit } = readBudgets(settings).value;
      this.#usage = {
        key,
        month,
        budget: limit === undefined ? undefined : { month, use: { cost: others.cost, limit } },
        text: [
          `,"tokenUsage":${JSON.stringify(others).slice(0, -1)},"budget":`,
          `,${JSON.stringify({ byModel }).slice(1)},"tokenAlerts":`,
          `,"tokenDailyBreakdown":${JSON.stringify(found.tokenDailyBreakdown)}`,
        ],
      };
      return usageText(this.#usage, budget, found.tokenAlerts);
    };

    const scrapingFields = async () => {
      const key = keyOf(state.scraping_version, settings, [timeZoneKey]);
      if (holds(scraping, key, state)) return scraping.text.join('');
      const month = await readMonthOnce();
      const found = await readScraping(db, settings, now, month);
      const errors = JSON.stringify(found.scrapingErrors);
      const text = `,"scraping":${JSON.stringify(found.scraping)},"scrapingErrors":${errors}`;
      this.#scraping = { key, month, text: [text] };
      return text;
    };

    const fields = await Promise.all([
      shown.tokenUsage ? usageFields() : '',
      shown.scraping ? scrapingFields() : '',
    ]);
    return { settings, fields: fields.join('') };
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

function usageText(
  { text: [beforeBudget, afterBudget, afterAlerts] }: Remembered,
  budget: AnalyticsState['budget'],
  alerts: AnalyticsState['alerts'],
): string {
  return `${beforeBudget}${JSON.stringify(budget)}${afterBudget}${JSON.stringify(alerts)}${afterAlerts}`;
}
