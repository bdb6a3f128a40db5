import { parseMoment } from '../../../src/shared/moments.ts';

/** A time to filter by, as an address has it: the first moment in it, and the first one after it. Each may be relative. */
export interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The quick choices. They stay true from day to day. */
export const periods: readonly { readonly title: string; readonly period: Required<Period> }[] = [
  { title: 'Any time', period: { since: undefined, until: undefined } },
  { title: 'Today', period: { since: 'today', until: undefined } },
  { title: 'Yesterday', period: { since: 'yesterday', until: 'today' } },
  { title: 'Last 7 days', period: { since: '7d', until: undefined } },
  { title: 'Last 30 days', period: { since: '30d', until: undefined } },
  { title: 'Last 12 months', period: { since: '12mo', until: undefined } },
];

/** Returns the moment of a text, such as `30d`, `yesterday` or one of ISO 8601. Days are those of the browser's zone. */
export function momentOf(text: string): string | undefined {
  if (text === 'today') return midnight(new Date());
  if (text === 'yesterday') return midnight(new Date(), -1);
  return parseMoment(text);
}

/** Returns the bounds of a period for the API. */
export function boundsOf({ since, until }: Period): Period {
  return { since: since && momentOf(since), until: until && momentOf(until) };
}

/** Returns the period of days such as `2026-09-01`, of which the last is in it. */
export function periodOfDays(from: string | undefined, to: string | undefined): Required<Period> {
  return { since: from && midnight(localDay(from)), until: to && midnight(localDay(to), 1) };
}

/** Returns the first and the last day of a period; empty for none. */
export function daysOf(period: Period): { readonly from: string; readonly to: string } {
  const { since, until } = boundsOf(period);
  return { from: since ? dayOf(new Date(since)) : '', to: until ? dayOf(justBefore(until)) : '' };
}

/** Returns a period in words; undefined for any time. */
export function periodInWords({ since, until }: Period): string | undefined {
  if (since === undefined && until === undefined) return undefined;
  const known = periods.find(({ period }) => period.since === since && period.until === until);
  if (known) return known.title;
  const [from, to] = [since && momentOf(since), until && momentOf(until)];
  if (from && to && isMidnight(from) && isMidnight(to))
    return shown.formatRange(new Date(from), justBefore(to));
  const words = [
    from && `From ${inWords(from, new Date(from))}`,
    to && `until ${inWords(to, justBefore(to))}`,
  ];
  const text = words.filter(Boolean).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const shownTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a bound in words: its day if that begins with it, or the moment. */
const inWords = (at: string, day: Date) =>
  isMidnight(at) ? shown.format(day) : shownTime.format(new Date(at));

const justBefore = (at: string) => new Date(Date.parse(at) - 1);
const isMidnight = (at: string) => midnight(new Date(at)) === new Date(at).toISOString();

/** The beginning of a day, so many days later. Days are not always 24 hours long. */
function midnight(day: Date, plusDays = 0): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + plusDays).toISOString();
}

function dayOf(day: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function localDay(text: string): Date {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, day);
}
