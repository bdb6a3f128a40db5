import { createStore } from '../app/store.ts';

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** Formats the exact moment of a time in the browser's zone, with its day and its seconds. */
export function exactTime(at: string): string {
  return format.format(new Date(at));
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const fullOfThisYear = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

interface MomentProps {
  readonly at: string;
  /**
   * `full` has the day and the time, and the year if it is another one. `short` has the time of moments of today, and otherwise the day. `time` has the time.
   */
  readonly form?: 'full' | 'short' | 'time';
}

/** A time in the browser's zone. Hovering shows the exact moment. */
export const Moment = ({ at, form = 'full' }: MomentProps) => timeOf(at, textOf(new Date(at), form));

const timeOf = (at: string, text: string) => (
  <time dateTime={at} title={exactTime(at)}>
    {text}
  </time>
);

function textOf(at: Date, form: NonNullable<MomentProps['form']>): string {
  const now = new Date();
  const isThisYear = at.getFullYear() === now.getFullYear();
  if (form === 'full') return (isThisYear ? fullOfThisYear : full).format(at);
  if (form === 'time' || at.toDateString() === now.toDateString()) return time.format(at);
  return (isThisYear ? day : dayOfYear).format(at);
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A time whose day is in words if it is today or yesterday. Hovering shows the exact moment. */
export function DayMoment({ at }: { readonly at: string }) {
  const time = new Date(at);
  return timeOf(at, `${dayInWords(time, new Date())}, ${clock.format(time)}`);
}

function dayInWords(time: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (time.toDateString() === now.toDateString()) return 'Today';
  return time.toDateString() === yesterday.toDateString() ? 'Yesterday' : dayOfYear.format(time);
}

const stepMs = 30_000;
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), stepMs);

/** Returns the time, which moves on every half minute, for all that show it at once. */
export const useNow = now.use;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 7 * 86_400],
  ['month', 30 * 86_400],
  ['year', 365 * 86_400],
] as const;

/** Returns how far a time is from now, such as `3 hours ago` or `in 5 days`. */
export function distanceOf(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const [unit, size] = unitOf(Math.abs(seconds)) ?? [];
  return unit === undefined ? 'just now' : words.format(Math.round(seconds / size), unit);
}

/** Returns the largest unit that there is one of once the smaller ones are rounded: 59.7 minutes are an hour. */
function unitOf(seconds: number): (typeof units)[number] | undefined {
  return units.findLast(([, size], index) => {
    const smaller = units[index - 1]?.[1];
    return size <= (smaller === undefined ? seconds : Math.round(seconds / smaller) * smaller);
  });
}

/** A time as its distance from now, which stays true while it is shown. Hovering shows the exact moment. */
export const RelativeTime = ({ at }: { readonly at: string }) => timeOf(at, distanceOf(at, useNow()));
