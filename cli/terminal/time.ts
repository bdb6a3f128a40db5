let relative: Intl.RelativeTimeFormat | undefined;

/** Each unit and its seconds, the longest first. */
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Formats a time relative to now, `3 hours ago`; empty for null. */
export function ago(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const seconds = (Date.parse(time) - now) / 1000;
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  if (unit === 'second') return 'just now';
  // Created on demand: every command loads this file, and the format takes 10 ms.
  relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Formats a time to the minute, `2026-01-31 09:30 UTC`: the zone in which commands accept times. */
export function dateAndTime(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

const shortUnits = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Returns how long ago a time was, in a few cells: `3h`, `12d`, `now`; an empty text for null. */
export function age(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const seconds = (now - Date.parse(time)) / 1000;
  const [unit, size] = shortUnits.find(([, each]) => seconds >= each) ?? ['now', 1];
  return unit === 'now' ? 'now' : `${Math.trunc(seconds / size)}${unit}`;
}

/** Returns how long something took, in a few cells: `34s`, `4m`, `2h`. */
export function duration(from: string, to: string): string {
  const end = Date.parse(to);
  const seconds = (end - Date.parse(from)) / 1000;
  return seconds < 60 ? `${Math.trunc(seconds)}s` : age(from, end);
}

/** Returns a date and time in UTC: `2026-01-31 09:30`. */
export function dateTime(time: string): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
