import type { Settings } from '../../contract/known-settings/settings.ts';
import type { MonthToDate } from '../../db/analytics/months.ts';
import {
  selectRunSummaries,
  selectRunSummariesByDay,
  selectScrapingErrors,
} from '../../db/analytics/scraping-summaries.ts';
import type { Database } from '../../db/connection/database.ts';
import type { AnalyticsSections } from './analytics-of-month.ts';
import { readMonth } from './calendar.ts';

/**
 * Returns the scraping runs that started in the current month, in total and by source, and the newest errors of any
 * month. A run that is still running counts in `runs`, but not in the counts of ended runs.
 *
 * @param now - defaults to the database's clock
 * @param monthRead - the month, if the caller reads it too
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

/** Returns the scraping runs that started in a month. */
export async function readRunsOf(db: Database, month: MonthToDate): Promise<AnalyticsSections['scraping']> {
  const { all, bySource } = await selectRunSummaries(db, month);
  return { month: month.month, timezone: month.timezone, ...all, bySource };
}

/** Returns the scraping runs that started on each day of a month. */
export async function readRunsByDay(
  db: Database,
  month: MonthToDate,
): Promise<AnalyticsSections['scrapingDailyBreakdown']> {
  const days = await selectRunSummariesByDay(db, month);
  return days.map(({ all, bySource, ...day }) => ({ ...day, ...all, bySource }));
}
