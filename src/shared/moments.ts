import { toInstant } from './time.ts';

/** What a time may look like, for errors and help. */
export const momentExamples = '2026-01-31, 2026-01-31T09:30, 30d, "2 weeks ago", yesterday or "last monday"';

const dayMs = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The milliseconds of each unit that always takes the same time. */
const spans = { second: 1_000, minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs } as const;
/** The months of the other units. */
const monthsOf = { month: 1, year: 12 } as const;
const shortUnits: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  min: 'minute',
  mins: 'minute',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
};

/**
 * Parses a time as people write it, and returns it as ISO 8601 UTC: `2026-01-31`, `30d`, `2 weeks ago`, `yesterday`,
 * `last monday`, `yesterday 14:30`. Days begin at midnight UTC, as the days of dates do. Hyphens and dots may stand for
 * spaces, so that a shell needs no quotes. Returns undefined for anything else, and for years that Postgres does not accept.
 */
export function parseMoment(text: string, now = Date.now()): string | undefined {
  const instant = toInstant(text.trim());
  if (instant !== undefined) return instant;
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s._-]+/g, ' ');
  const found = ago(words, now) ?? named(words, now);
  if (found === undefined || Number.isNaN(found)) return undefined;
  // Also checks the year.
  return toInstant(new Date(found).toISOString());
}

/** Parses how long ago a time was, `30d` or `2 weeks ago`. */
function ago(words: string, now: number): number | undefined {
  const [, amount = '', word = ''] = /^(\d{1,6}|an?|one) ?([a-z]+)(?: ago)?$/.exec(words) ?? [];
  if (amount === '') return undefined;
  const count = /\d/.test(amount) ? Number(amount) : 1;
  const unit = shortUnits[word] ?? word.replace(/s$/, '');
  if (Object.hasOwn(spans, unit)) return now - count * spans[unit as keyof typeof spans];
  return Object.hasOwn(monthsOf, unit)
    ? monthsBefore(now, count * monthsOf[unit as keyof typeof monthsOf])
    : undefined;
}

/** Parses the name of a day, a week, a month or a year, with an optional time of the day. */
function named(words: string, now: number): number | undefined {
  if (words === 'now') return now;
  const [, hours, minutes] = / (?:at )?([01]?\d|2[0-3]):([0-5]\d)$/.exec(words) ?? [];
  if (hours === undefined) return startOf(words, now);
  const start = startOf(words.replace(/ (?:at )?[\d:]+$/, ''), now);
  return start === undefined ? undefined : start + (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function startOf(words: string, now: number): number | undefined {
  const today = Math.floor(now / dayMs) * dayMs;
  if (words === 'today') return today;
  if (words === 'yesterday') return today - dayMs;
  if (words === 'tomorrow') return today + dayMs;
  const [, which = '', name = ''] = /^(?:(this|last) )?([a-z]+)$/.exec(words) ?? [];
  const back = which === 'last' ? 1 : 0;
  if (weekdays.includes(name)) {
    const daysSince = (new Date(today).getUTCDay() - weekdays.indexOf(name) + 7) % 7;
    // On a Monday, `monday` is today and `last monday` is not.
    return today - (daysSince === 0 ? back * 7 : daysSince) * dayMs;
  }
  if (which === '') return undefined;
  const date = new Date(today);
  // Weeks begin on Monday.
  if (name === 'week') return today - (((date.getUTCDay() + 6) % 7) + back * 7) * dayMs;
  if (name === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back);
  return name === 'year' ? Date.UTC(date.getUTCFullYear() - back, 0) : undefined;
}

/** Returns the time some months before. The 31st becomes the last day of a shorter month. */
function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}
