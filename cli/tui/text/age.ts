const units = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Returns how long ago a time was, in a few cells: `3h`, `12d`, `now`; an empty text for null. */
export function age(time: string | number | null, now: number): string {
  if (time === null) return '';
  const seconds = (now - (typeof time === 'number' ? time : Date.parse(time))) / 1000;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['now', 1];
  return unit === 'now' ? 'now' : `${Math.trunc(seconds / size)}${unit}`;
}

/** Returns how long something took, in a few cells: `34s`, `4m`, `2h`. */
export function duration(from: string, to: string): string {
  const end = Date.parse(to);
  const seconds = (end - Date.parse(from)) / 1000;
  return seconds < 60 ? `${Math.trunc(seconds)}s` : age(from, end);
}

/** Returns a date and time in UTC: `2026-01-31 09:30`. */
export function dateTime(time: string | number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
