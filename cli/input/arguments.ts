import { InvalidArgumentError } from 'commander';
import { parseTime } from '../output/time.ts';

/** Parsers of arguments and options: what commander calls with a text, and shows the error of. */

/** A whole number from a bound on, perhaps up to another. */
export function wholeNumber(
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
}

/** A span of time, `90s`, `5m` or `2h`, in seconds. */
export function seconds(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const span = Number(number) * { s: 1, m: 60, h: 3_600 }[(unit ?? 's') as 's' | 'm' | 'h'];
  // What a timer can wait for.
  if (span > 0 && span <= 2_000_000) return span;
  throw new InvalidArgumentError('It takes a number of seconds, minutes or hours: 90s, 5m, 2h.');
}

/** The address of a server: `https://backoffice.example.com`, perhaps with a path. */
export function serverUrl(text: string): string {
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It takes an address such as https://backoffice.example.com.');
}

/** A time, or how long ago: `2026-01-31`, `2026-01-31T09:30:00Z`, `90m`, `36h`, `7d`, `2w`. As ISO 8601 UTC. */
export function time(text: string): string {
  const found = parseTime(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError('It takes a date, an ISO 8601 time, or how long ago: 90m, 36h, 7d, 2w.');
}
