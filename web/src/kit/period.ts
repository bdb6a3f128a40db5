/** The quick choices of a time, by their word in the address. They stay true from day to day. */
export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '365d': 'Last 365 days',
} as const;

type PeriodWord = keyof typeof periods;

export const periodWords = Object.keys(periods) as PeriodWord[];

/** A time to filter by, as an address has it: a word, or the first moment in it and the first one after it. */
export interface Period {
  readonly when?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** How many days ago a period begins, and how many days before tomorrow it ends. */
const days: Readonly<Record<PeriodWord, readonly [begin: number, end: number]>> = {
  today: [0, 0],
  yesterday: [1, 1],
  '7d': [6, 0],
  '30d': [29, 0],
  '365d': [364, 0],
};

const isWord = (word: string): word is PeriodWord => Object.hasOwn(periods, word);

/** Returns the bounds of a period for the API. Days are those of the browser's zone. */
export function boundsOf({ when, since, until }: Period): Omit<Period, 'when'> {
  if (when === undefined || !isWord(when)) return { since, until };
  const [begin, end] = days[when];
  return { since: midnight(-begin), until: end === 0 ? undefined : midnight(1 - end) };
}

/** Returns the bounds of days such as `2026-09-01`, of which the last is in the period. */
export function boundsOfDays(from: string | undefined, to: string | undefined): Omit<Period, 'when'> {
  return { since: from && midnight(0, localDay(from)), until: to && midnight(1, localDay(to)) };
}

/** Returns the first and the last day of a period. */
export function daysOf({ since, until }: Period): { readonly from: string; readonly to: string } {
  const last = until && new Date(Date.parse(until) - 1).toISOString();
  return { from: dayOf(since), to: dayOf(last) };
}

/** Returns the day of a moment, or a text that is one; empty for no moment. */
function dayOf(at: string | undefined): string {
  if (at === undefined) return '';
  const day = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const shownTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a period in words; undefined for any time. */
export function periodInWords({ when, since, until }: Period): string | undefined {
  if (when !== undefined && isWord(when)) return periods[when];
  const isDays = [since, until].every((at) => at === undefined || at === midnight(0, new Date(at)));
  if (since === undefined && until === undefined) return undefined;
  if (!isDays)
    return [since && `From ${timeOf(since)}`, until && `before ${timeOf(until)}`].filter(Boolean).join(' ');
  const last = until && new Date(Date.parse(until) - 1);
  if (!last) return `Since ${shown.format(new Date(since ?? ''))}`;
  return since === undefined ? `Until ${shown.format(last)}` : shown.formatRange(new Date(since), last);
}

const timeOf = (at: string) => shownTime.format(new Date(at));

/** The beginning of a day, so many days later. Days are not always 24 hours long. */
function midnight(plusDays: number, day = new Date()): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + plusDays).toISOString();
}

function localDay(text: string): Date {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, day);
}
