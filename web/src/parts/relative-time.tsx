import { useEffect } from 'react';
import { createStore } from '../app/store.ts';
import { exactTime } from './moment.tsx';

const stepMs = 30_000;
const now = createStore(Date.now());
let users = 0;
let timer: number | undefined;

/** Returns the time, which moves on every half minute. All that show it share one timer. */
export function useNow(): number {
  useEffect(() => {
    if (users++ === 0) {
      now.set(Date.now());
      timer = window.setInterval(() => now.set(Date.now()), stepMs);
    }
    return () => {
      if (--users === 0) window.clearInterval(timer);
    };
  }, []);
  return now.use();
}

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
export function inWords(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const [unit, size] = unitOf(Math.abs(seconds)) ?? [];
  return unit === undefined ? 'just now' : words.format(Math.round(seconds / size), unit);
}

/** Returns the largest unit that there is one of once the smaller ones are rounded: 59.7 minutes are an hour. */
function unitOf(seconds: number): (typeof units)[number] | undefined {
  let found: (typeof units)[number] | undefined;
  let rounded = seconds;
  for (const unit of units) {
    const [, size] = unit;
    if (rounded < size) break;
    found = unit;
    rounded = Math.round(seconds / size) * size;
  }
  return found;
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
