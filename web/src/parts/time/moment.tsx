const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

interface MomentProps {
  readonly at: string;
  /**
   * `full` has the day and the time. `short` has the time of moments of today, and otherwise the day. `time` has the time.
   */
  readonly form?: 'full' | 'short' | 'time';
}

/** Returns a time in the browser's zone as a text. */
export function localTime(at: string): string {
  return full.format(new Date(at));
}

/** A time in the browser's zone. Hovering shows the exact moment. */
export function Moment({ at, form = 'full' }: MomentProps) {
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
      {textOf(new Date(at), form)}
    </time>
  );
}

function textOf(at: Date, form: NonNullable<MomentProps['form']>): string {
  if (form === 'full') return full.format(at);
  const now = new Date();
  if (form === 'time' || at.toDateString() === now.toDateString()) return time.format(at);
  return (at.getFullYear() === now.getFullYear() ? day : dayOfYear).format(at);
}
