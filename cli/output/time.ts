import { toInstant } from '../../src/shared/instant.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** Each unit and how many seconds it has, the longest first. */
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time as people say it, `3 hr. ago`; nothing for none. */
export function ago(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const seconds = (Date.parse(time) - now) / 1000;
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return unit === 'second' ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

/** A time to the minute, `2026-01-31 09:30 UTC`: in the zone that commands take times in. */
export function dateAndTime(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * The time that `7d`, `36h`, `2026-01-31` or an ISO 8601 time names, as ISO 8601 UTC; undefined where it names none.
 * A number with `m`, `h`, `d` or `w` is that long before now.
 */
export function parseTime(text: string, now = Date.now()): string | undefined {
  const span = /^(\d{1,6})(m|h|d|w)$/.exec(text);
  if (span !== null) {
    const minutes = { m: 1, h: 60, d: 1440, w: 10_080 }[span[2] as 'm' | 'h' | 'd' | 'w'];
    return new Date(now - Number(span[1]) * minutes * 60_000).toISOString();
  }
  return toInstant(text);
}
