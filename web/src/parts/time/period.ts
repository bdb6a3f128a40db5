/** The quick choices of a time, by their word in the address. `from` and `to` are days of the browser's zone. */
export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;

type PeriodWord = keyof typeof periods;

export const periodWords = Object.keys(periods) as PeriodWord[];

/** A time to filter by: a word, or the first and the last day. */
export interface Period {
  readonly when?: PeriodWord | undefined;
  /** Such as `2026-09-01`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** How many days ago a period begins, and how many days before tomorrow it ends. */
const days: Readonly<Record<PeriodWord, readonly [begin: number, end: number]>> = {
  today: [0, 0],
  yesterday: [1, 1],
  '7d': [6, 0],
  '30d': [29, 0],
};

/** Returns a text that is a day of the calendar. */
export function dayOf(value: unknown): string | undefined {
  const text = String(value ?? '');
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Returns the bounds of a period for the API: `since` is in it, `until` is not. */
export function boundsOf({ when, from, to }: Period, now = new Date()): { since?: string; until?: string } {
  if (when !== undefined) {
    const [begin, end] = days[when];
    return {
      since: midnight(now, -begin).toISOString(),
      ...(end === 0 ? {} : { until: midnight(now, 1 - end).toISOString() }),
    };
  }
  return {
    ...(from === undefined ? {} : { since: midnight(localDay(from)).toISOString() }),
    ...(to === undefined ? {} : { until: midnight(localDay(to), 1).toISOString() }),
  };
}

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Returns a period in words; undefined for any time. */
export function periodInWords({ when, from, to }: Period): string | undefined {
  if (when !== undefined) return periods[when];
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `Since ${shown.format(localDay(from ?? ''))}`;
  if (from === undefined) return `Until ${shown.format(localDay(to))}`;
  return shown.formatRange(localDay(from), localDay(to));
}

/** The beginning of a day in the browser's zone. Days are not always 24 hours long. */
function midnight(day: Date, plusDays = 0): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + plusDays);
}

function localDay(text: string): Date {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, day);
}
