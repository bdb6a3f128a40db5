import { InvalidArgumentError } from 'commander';
import { parseTime } from '../output/time.ts';

/** Parsers of arguments and options. Commander calls them with the text, and shows their errors. */

/** Returns a parser of whole numbers within bounds. */
export function wholeNumber(
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`Must be a whole number ${range}.`);
  };
}

/** Returns a parser of one of the words, in upper or lower case. */
export function oneOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    const word = find(words, text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
  };
}

/** Returns a parser of one of the words, or of several with commas between them, in upper or lower case. */
export function someOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    const found = text.split(',').map((word) => find(words, word));
    if (!found.includes(undefined)) return found.join(',');
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}. Separate several by commas.`);
  };
}

/** Returns a parser of texts with commas between them, some of which are known words, in upper or lower case. */
export function textsWith(words: readonly string[]): (text: string) => string {
  return (text) =>
    text
      .split(',')
      .map((each) => find(words, each) ?? each)
      .join(',');
}

function find(words: readonly string[], text: string): string | undefined {
  return words.find((word) => word.toLowerCase() === text.trim().toLowerCase());
}

/** Returns a parser that collects the values of an argument that may be repeated. */
export function repeated<T>(parse: (text: string) => T): (text: string, before?: readonly T[]) => T[] {
  return (text, before = []) => [...before, parse(text)];
}

/** Parses a duration, `90s`, `5m` or `2h`, into seconds. */
export function seconds(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const span = Number(number) * { s: 1, m: 60, h: 3_600 }[(unit ?? 's') as 's' | 'm' | 'h'];
  // A timer cannot wait longer.
  if (span > 0 && span <= 2_000_000) return span;
  throw new InvalidArgumentError('Must be a number of seconds, minutes or hours: 90s, 5m, 2h.');
}

/** Parses the address of a server, `https://backoffice.example.com`, optionally with a path. */
export function serverUrl(text: string): string {
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('Must be an address such as https://backoffice.example.com.');
}

/** Parses a time, or how long ago it was, into ISO 8601 UTC: `2026-01-31`, `2026-01-31T09:30:00Z`, `90m`, `36h`, `7d`, `2w`. */
export function time(text: string): string {
  const instant = parseTime(text);
  if (instant !== undefined) return instant;
  throw new InvalidArgumentError('Must be a date, an ISO 8601 time, or how long ago: 90m, 36h, 7d, 2w.');
}
