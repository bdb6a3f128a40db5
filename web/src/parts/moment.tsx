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
export function Moment({ at, form = 'full' }: MomentProps) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {textOf(new Date(at), form)}
    </time>
  );
}

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
  return (
    <time dateTime={at} title={exactTime(at)}>
      {dayInWords(time, new Date())}, {clock.format(time)}
    </time>
  );
}

function dayInWords(time: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (time.toDateString() === now.toDateString()) return 'Today';
  return time.toDateString() === yesterday.toDateString() ? 'Yesterday' : dayOfYear.format(time);
}
