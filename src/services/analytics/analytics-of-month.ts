import { z } from 'zod';
import { currentMonth, settingErrors } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { scrapingSchema, tokenDaySchema, tokenUsageSchema } from '../../contract/schemas/analytics.ts';
import { selectScrapingErrors } from '../../db/analytics/scraping-summaries.ts';
import type { Database } from '../../db/connection/database.ts';
import { selectReadableSettings } from '../../db/tables/settings.ts';
import { selectTokenAlertsOf } from '../../db/tables/usage/token-usage.ts';
import { refuse } from '../call/refuse.ts';
import type { AnalyticsAnswer, Shown } from './analytics-memo.ts';
import { readMonth } from './calendar.ts';
import { readRunsByDay, readRunsOf } from './scraping.ts';
import { readUsageOf } from './token-usage.ts';

/**
 * Reads the analytics of a month, with the alerts and the scraping errors of that month only.
 *
 * @param name - such as `2026-08`, or `current`
 * @param now - defaults to the database's clock
 * @throws BackofficeError `invalid` if the month has not begun
 */
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
    const scrapingDailyBreakdown = await readRunsByDay(db, month);
    const scrapingErrors = [...(await selectScrapingErrors(db, month))];
    Object.assign(sections, { scraping, scrapingDailyBreakdown, scrapingErrors });
  }
  const fields = JSON.stringify(sections).slice(1, -1);
  return { settings, fields: fields === '' ? '' : `,${fields}` };
}

/** The sections of the settings answer, each present. */
export type AnalyticsSections = {
  [Section in keyof OutputOf<'settings.show'>]-?: NonNullable<OutputOf<'settings.show'>[Section]>;
};
