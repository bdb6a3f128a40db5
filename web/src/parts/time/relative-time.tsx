import { exactTime } from './exact-time.ts';
import { useNow } from './use-now.ts';

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns how far a time is from now, such as `3 hours ago` or `in 5 days`. */
export function inWords(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return unit === undefined ? 'just now' : words.format(Math.round(seconds / size), unit);
}

/** A time as its distance from now, which stays true while it is shown. Hovering shows the exact moment. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {inWords(at, now)}
    </time>
  );
}
