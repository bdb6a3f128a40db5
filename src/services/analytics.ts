import type { OutputOf } from '../contract/index.ts';
import { type MonthToDate, selectMonthToDate } from '../db/months.ts';
import type { Database } from '../db/pool.ts';
import { selectRunSummaries, selectScrapingErrors } from '../db/scraping.ts';
import { selectTokenAlerts, selectTokenUsage } from '../db/token-usage.ts';
import { sumByModel, sumUsage } from './token-totals.ts';

type Analytics = {
  [Field in keyof OutputOf<'settings.show'>]-?: NonNullable<OutputOf<'settings.show'>[Field]>;
};
type Settings = Readonly<Record<string, string>>;

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
  const usage = await selectTokenUsage(db, month);
  const byDate = Map.groupBy(usage, ({ date }) => date);
  const totals = sumUsage(usage);
  return {
    tokenUsage: {
      month: month.month,
      timezone: month.timezone,
      ...totals,
      currency: currencyOf(settings),
      unpricedTokens: totals.totalTokens,
      budget: null,
      byModel: sumByModel(usage),
    },
    tokenAlerts: [...(await selectTokenAlerts(db))],
    tokenDailyBreakdown: month.dates.map((date) => {
      const usageOfDay = byDate.get(date) ?? [];
      return { date, ...sumUsage(usageOfDay), byModel: sumByModel(usageOfDay) };
    }),
  };
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

function readMonth(db: Database, settings: Settings, now: Date | undefined): Promise<MonthToDate> {
  const { timezone = '' } = settings;
  return selectMonthToDate(db, isTimeZone(timezone) ? timezone : 'UTC', now);
}

/** Whether it names a zone of the IANA database. Postgres alone takes `FOO3` too, and reads the sign of `+01:00` as west. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function currencyOf(settings: Settings): string {
  const { currency = '' } = settings;
  return currency.trim() === '' ? 'USD' : currency.trim();
}
