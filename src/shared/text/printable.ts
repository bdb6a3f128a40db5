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
