import { isRecord } from './is-record.ts';

/** Cuts a text that is longer than so many characters (code points), and marks the cut with `…`. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // By code points, so that no character is cut in half. A code point has at most two code units.
  const points = [...text.slice(0, 2 * (maxLength + 1))];
  return points.length <= maxLength ? text : `${points.slice(0, maxLength).join('')}…`;
}

/** Returns a text without the byte order mark that editors on Windows put before it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Formats a whole number with separators: `12,345`. The language data that `toLocaleString` loads takes 10 ms of a start. */
export function groupDigits(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a text as one line without control characters, which a terminal would obey. For all texts that users wrote. */
export function printable(text: string): string {
  return text.replaceAll(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap)).replaceAll(control, '\uFFFD');
}

/**
 * Returns a text of several lines without the characters that `printable` replaces. For texts that may hold what users
 * wrote.
 */
export function printableLines(text: string): string {
  return text.replaceAll(controlInLine, '\uFFFD');
}

/** C0, DEL, C1, and the marks that change the direction of text (https://trojansource.codes). */
const controls = '\\p{Cc}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const control = new RegExp(`[${controls}]`, 'gu');
const controlInLine = new RegExp(`(?![\\n\\t])[${controls}]`, 'gu');

/**
 * Returns a code as it was given out, however it was typed: without spaces and dashes, with letters of full width as others,
 * and with the digits of any script as those of ASCII.
 */
export function typedCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}\u2212\u30fc]/gu, '')
    .replaceAll(/(?![0-9])\p{Nd}/gu, toDigit);
}

/** Unicode has the digits of a script one after the other, those of several without a gap. */
function toDigit(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((point - first) % 10);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for an element or a quoted attribute of a page or a mail. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Returns the JSON text of a value with the keys of its objects in one order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Returns the size of a file for people, such as `1.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = bytes < 999_500 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
