import { cellsOf, graphemesOf, layout } from '../../terminal/cells.ts';
import { printable } from '../../terminal/text.ts';

/** The content of a text field and its cursor. */
export interface TextInput {
  readonly text: string;
  /** An offset into the text, between two graphemes. */
  readonly cursor: number;
}

/** Returns a field with the text and the cursor at its end. */
export function textInput(text: string): TextInput {
  return { text, cursor: text.length };
}

/**
 * Returns a text as a field shows it. The length stays the same, so an offset is valid in both texts: each control
 * character except a line break becomes one sign. A text that someone else wrote may contain control characters.
 */
export function visible(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll(/[^\n -~]/gu, printable);
}

/** What the keys of a text field do. The keys are in `keys/actions.ts`. */
export type Edit =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'wordLeft'
  | 'wordRight'
  | 'lineStart'
  | 'lineEnd'
  | 'deleteBack'
  | 'deleteForward'
  | 'deleteWord'
  | 'deleteToStart'
  | 'deleteToEnd';

/** Inserts a text without its control characters. In a field of one line, line breaks become spaces. */
export function insert(input: TextInput, addition: string, lines: 'one line' | 'lines'): TextInput {
  const tidy = addition.replaceAll(/\r\n?/g, '\n');
  const text = (lines === 'lines' ? tidy : tidy.replaceAll(/[\n\t]/g, ' ')).replaceAll(
    /(?![\n\t])\p{Cc}/gu,
    '',
  );
  return replace(input, input.cursor, input.cursor, text);
}

/** @param cells - the width of the field, for `up` and `down` */
export function edit(input: TextInput, what: Edit, cells = Number.POSITIVE_INFINITY): TextInput {
  const { text, cursor } = input;
  switch (what) {
    case 'left':
      return { text, cursor: before(input) };
    case 'right':
      return { text, cursor: after(input) };
    case 'wordLeft':
      return { text, cursor: wordBefore(input) };
    case 'wordRight':
      return { text, cursor: cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0) };
    case 'lineStart':
      return { text, cursor: text.lastIndexOf('\n', cursor - 1) + 1 };
    case 'lineEnd':
      return { text, cursor: lineEnd(input) };
    case 'up':
      return vertically(input, -1, cells);
    case 'down':
      return vertically(input, 1, cells);
    case 'deleteBack':
      return replace(input, before(input), cursor, '');
    case 'deleteForward':
      return replace(input, cursor, after(input), '');
    case 'deleteWord':
      return replace(input, wordBefore(input), cursor, '');
    case 'deleteToStart':
      return replace(input, text.lastIndexOf('\n', cursor - 1) + 1, cursor, '');
    case 'deleteToEnd':
      return replace(input, cursor, lineEnd(input), '');
  }
}

function replace({ text }: TextInput, start: number, end: number, by: string): TextInput {
  return { text: text.slice(0, start) + by + text.slice(end), cursor: start + by.length };
}

function before({ text, cursor }: TextInput): number {
  return cursor - (graphemesOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: TextInput): number {
  return cursor + (graphemesOf(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore({ text, cursor }: TextInput): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

function lineEnd({ text, cursor }: TextInput): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** Returns the line and column of the cursor in the field. */
export function cursorPosition({ text, cursor }: TextInput, cells: number): { line: number; column: number } {
  const shown = visible(text);
  const spans = layout(shown, cells);
  const line = spans.findLastIndex(({ start }) => start <= cursor);
  return { line, column: cellsOf(shown.slice(spans[line]?.start ?? 0, cursor)) };
}

function vertically(input: TextInput, step: 1 | -1, cells: number): TextInput {
  const shown = visible(input.text);
  const spans = layout(shown, cells);
  const { line, column } = cursorPosition(input, cells);
  const target = spans[line + step];
  if (target === undefined) return { text: input.text, cursor: step < 0 ? 0 : input.text.length };
  let cursor = target.start;
  let used = 0;
  // The end of a wrapped line is the start of the next one.
  const last = spans[line + step + 1]?.start === target.end ? target.end - 1 : target.end;
  for (const grapheme of graphemesOf(shown.slice(target.start, target.end))) {
    used += cellsOf(grapheme);
    if (used > column || cursor + grapheme.length > last) break;
    cursor += grapheme.length;
  }
  return { text: input.text, cursor };
}
