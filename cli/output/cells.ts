import stringWidth from 'string-width';
import { printable } from './text.ts';

const ascii = /^[\x20-\x7e]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many cells of a terminal a text takes; its styles take none. */
export function cellsOf(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

/** What a person takes for one character each. */
export function graphemesOf(text: string): string[] {
  return ascii.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** A text without styles, in no more than so many cells; `…` stands for what is cut. */
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

/** A text in exactly so many cells: cut, or filled with blanks. */
export function fit(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, cells);
  const blanks = ' '.repeat(Math.max(0, cells - cellsOf(shown)));
  return align === 'left' ? shown + blanks : blanks + shown;
}

/** Blanks behind a text that has styles, up to so many cells. */
export function pad(styled: string, cells: number): string {
  return styled + ' '.repeat(Math.max(0, cells - cellsOf(styled)));
}

/** Two texts at the ends of a line; the right one gives way where there is no room for both. */
export function apart(left: string, right: string, cells: number): string {
  const room = cells - cellsOf(left) - cellsOf(right);
  return room < 1 ? pad(left, cells) : left + ' '.repeat(room) + right;
}

/** The same, where the left one has a shorter form for where there is no room for the long one. */
export function apartOr(left: string, shorter: string, right: string, cells: number): string {
  return apart(cellsOf(left) + cellsOf(right) < cells ? left : shorter, right, cells);
}

/** A part of a text: a line as it is shown. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Breaks a text into lines of at most so many cells, between words where that goes; a blank may stand out. */
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
 * What somebody wrote, as lines that fit. Its control characters are shown, not obeyed.
 *
 * @param cells - Infinity for a file or a pipe, where no line is broken
 */
export function wrap(text: string, cells: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const shown = printable(line);
    return layout(shown, cells).map(({ start, end }) => shown.slice(start, end).trimEnd());
  });
}
