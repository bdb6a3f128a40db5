import stringWidth from 'string-width';
import { printable } from './text.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The lines of a text, without control characters. One that is too wide is broken at spaces, and a word that alone is
 * too wide wherever it must be.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where no line is broken
 */
export function wrapText(text: string, width: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => wrapLine(printable(line).trimEnd(), width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const [word] of line.matchAll(/\s*\S+/g)) {
    if (stringWidth(current + word) <= width) {
      current += word;
      continue;
    }
    if (current !== '') lines.push(current);
    const pieces = breakWord(current === '' ? word : word.trimStart(), width);
    current = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, current];
}

/** Pieces of a word, each as wide as it may be; at least one character each, however narrow the terminal is. */
function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && stringWidth(piece + segment) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

/** A text of one line, cut with `…` where it is wider than that many cells. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  let room = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    shown += segment;
  }
  return `${shown}…`;
}
