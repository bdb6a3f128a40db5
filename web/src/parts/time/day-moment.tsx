import { exactTime } from './exact-time.ts';
import { useNow } from './use-now.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A time whose day is in words if it is today or yesterday. Hovering shows the exact moment. */
export function DayMoment({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {dayInWords(time, new Date(useNow()))}, {clock.format(time)}
    </time>
  );
}

function dayInWords(time: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (time.toDateString() === now.toDateString()) return 'Today';
  return time.toDateString() === yesterday.toDateString() ? 'Yesterday' : day.format(time);
}
