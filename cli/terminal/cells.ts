import stringWidth from 'string-width';
import { printable } from './text.ts';

const ascii = /^[\x20-\x7e]*$/;
/** Made on demand: it loads data of languages, which takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the number of terminal cells that a text takes. Styles take none. */
export function cellsOf(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

/** Splits a text into what people see as single characters. */
export function graphemesOf(text: string): string[] {
  if (ascii.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Cuts a text without styles to a number of cells, with `…` at the end. */
export function cut(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  if (cells <= 0) return '';
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += cellsOf(grapheme);
    if (used > cells - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/** Cuts or pads a text to exactly the number of cells. */
export function fit(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, cells);
  const blanks = ' '.repeat(Math.max(0, cells - cellsOf(shown)));
  return align === 'left' ? shown + blanks : blanks + shown;
}

/** Pads a text, which may have styles, to the number of cells. */
export function pad(styled: string, cells: number): string {
  return styled + ' '.repeat(Math.max(0, cells - cellsOf(styled)));
}

/** Puts two texts at the ends of a line. If there is not enough room, the right one is left out. */
export function apart(left: string, right: string, cells: number): string {
  const room = cells - cellsOf(left) - cellsOf(right);
  return room < 1 ? pad(left, cells) : left + ' '.repeat(room) + right;
}

/** The part of a text that is shown on one line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Breaks a text into lines of at most the number of cells, between words if possible. A trailing blank may stick out. */
export function layout(text: string, cells: number): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let used = 0;
  let wordStart = 0;
  let offset = 0;
  for (const grapheme of graphemesOf(text)) {
    if (grapheme === '\n') {
      spans.push({ start, end: offset });
      start = wordStart = offset + 1;
      used = 0;
    } else {
      const width = cellsOf(grapheme);
      if (used + width > cells && grapheme !== ' ' && offset > start) {
        const end = wordStart > start ? wordStart : offset;
        spans.push({ start, end });
        start = wordStart = end;
        used = cellsOf(text.slice(start, offset));
      }
      used += width;
      if (grapheme === ' ') wordStart = offset + 1;
    }
    offset += grapheme.length;
  }
  spans.push({ start, end: text.length });
  return spans;
}

/**
 * Breaks a text of any origin into lines that fit, and makes its control characters harmless.
 *
 * @param cells - Infinity for a file or a pipe, where no line is broken
 */
export function wrap(text: string, cells: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const shown = printable(line);
    return layout(shown, cells).map(({ start, end }) => shown.slice(start, end).trimEnd());
  });
}
