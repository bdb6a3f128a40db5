const units = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** How long ago a time is, in as few cells as say it: `3h`, `12d`, `now`; nothing for no time. */
export function age(time: string | number | null, now: number): string {
  if (time === null) return '';
  const seconds = (now - (typeof time === 'number' ? time : Date.parse(time))) / 1000;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['now', 1];
  return unit === 'now' ? 'now' : `${Math.trunc(seconds / size)}${unit}`;
}

/** How long something took, in as few cells: `34s`, `4m`, `2h`. */
export function span(from: string, to: string): string {
  const end = Date.parse(to);
  const seconds = (end - Date.parse(from)) / 1000;
  return seconds < 60 ? `${Math.trunc(seconds)}s` : age(from, end);
}

/** A time of day and its date, UTC: `2026-01-31 09:30`. */
export function moment(time: string | number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
