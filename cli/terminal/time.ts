let relative: Intl.RelativeTimeFormat | undefined;

/** Each unit, its sign and its seconds, the longest first. */
const units = [
  ['year', 'y', 31_557_600],
  ['month', 'mo', 2_629_800],
  ['week', 'w', 604_800],
  ['day', 'd', 86_400],
  ['hour', 'h', 3_600],
  ['minute', 'm', 60],
] as const;

/** Formats a time relative to now, `3 hours ago`; empty for null. */
export function ago(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const seconds = (Date.parse(time) - now) / 1000;
  const [unit, , size] = units.find(([, , each]) => Math.abs(seconds) >= each) ?? [];
  if (unit === undefined) return 'just now';
  // Created on demand: every command loads this file, and the format takes 10 ms.
  relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Formats a time to the minute, `2026-01-31 09:30 UTC`: the zone in which commands accept times. */
export function dateAndTime(time: string): string {
  return `${dateTime(time)} UTC`;
}

/** Returns how long ago a time was, in a few cells: `3h`, `12d`, `now`; an empty text for null. */
export function age(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const seconds = (now - Date.parse(time)) / 1000;
  const [, sign, size] = units.find(([, , each]) => seconds >= each) ?? [];
  return sign === undefined ? 'now' : `${Math.trunc(seconds / size)}${sign}`;
}

/** Returns how long something took, in a few cells: `34s`, `4m`, `2h`. */
export function duration(from: string, to: string): string {
  const end = Date.parse(to);
  const seconds = (end - Date.parse(from)) / 1000;
  return seconds < 60 ? `${Math.trunc(seconds)}s` : age(from, end);
}

/** Returns a date and time in UTC: `2026-01-31 09:30`. */
export function dateTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
