import { cellsOf, graphemesOf, layout } from '../../output/cells.ts';
import { printable } from '../../output/text.ts';

/** A text that is being written, and where in it. */
export interface Draft {
  readonly text: string;
  /** An offset into the text, between two characters as people see them. */
  readonly cursor: number;
}

export const emptyDraft: Draft = { text: '', cursor: 0 };

/** A text to go on with, at its end. */
export function draftOf(text: string): Draft {
  return { text, cursor: text.length };
}

/**
 * A text as it is shown while it is written. It has the same length, so an offset into the one is an offset into the
 * other: a sign stands for each control character but the line ends, which a text that others began may hold.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, printable);
}

/** What the keys of a text do; `keys/actions.ts` names the keys. */
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

/** Puts a text in. Control characters stay out, and line breaks too where there is but one line. */
export function insert(draft: Draft, addition: string, lines: 'one line' | 'lines'): Draft {
  const tidy = addition.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '  ');
  const text = (lines === 'lines' ? tidy : tidy.replaceAll('\n', ' ')).replaceAll(/(?!\n)\p{Cc}/gu, '');
  return replace(draft, draft.cursor, draft.cursor, text);
}

/** @param cells - how wide the text is shown, for up and down */
export function edit(draft: Draft, what: Edit, cells = Number.POSITIVE_INFINITY): Draft {
  const { text, cursor } = draft;
  switch (what) {
    case 'left':
      return { text, cursor: before(draft) };
    case 'right':
      return { text, cursor: after(draft) };
    case 'wordLeft':
      return { text, cursor: wordBefore(draft) };
    case 'wordRight':
      return { text, cursor: cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0) };
    case 'lineStart':
      return { text, cursor: text.lastIndexOf('\n', cursor - 1) + 1 };
    case 'lineEnd':
      return { text, cursor: lineEnd(draft) };
    case 'up':
      return vertically(draft, -1, cells);
    case 'down':
      return vertically(draft, 1, cells);
    case 'deleteBack':
      return replace(draft, before(draft), cursor, '');
    case 'deleteForward':
      return replace(draft, cursor, after(draft), '');
    case 'deleteWord':
      return replace(draft, wordBefore(draft), cursor, '');
    case 'deleteToStart':
      return replace(draft, text.lastIndexOf('\n', cursor - 1) + 1, cursor, '');
    case 'deleteToEnd':
      return replace(draft, cursor, lineEnd(draft), '');
  }
}

function replace({ text }: Draft, start: number, end: number, by: string): Draft {
  return { text: text.slice(0, start) + by + text.slice(end), cursor: start + by.length };
}

function before({ text, cursor }: Draft): number {
  return cursor - (graphemesOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: Draft): number {
  return cursor + (graphemesOf(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore({ text, cursor }: Draft): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** Where a cursor is among the lines of a text as they are shown. */
export function placeOf({ text, cursor }: Draft, cells: number): { line: number; column: number } {
  const shown = visible(text);
  const spans = layout(shown, cells);
  const line = spans.findLastIndex(({ start }) => start <= cursor);
  return { line, column: cellsOf(shown.slice(spans[line]?.start ?? 0, cursor)) };
}

function vertically(draft: Draft, step: 1 | -1, cells: number): Draft {
  const shown = visible(draft.text);
  const spans = layout(shown, cells);
  const { line, column } = placeOf(draft, cells);
  const target = spans[line + step];
  if (target === undefined) return { text: draft.text, cursor: step < 0 ? 0 : draft.text.length };
  let cursor = target.start;
  let used = 0;
  // The end of a line that goes on in the next is shown there.
  const last = spans[line + step + 1]?.start === target.end ? target.end - 1 : target.end;
  for (const grapheme of graphemesOf(shown.slice(target.start, target.end))) {
    used += cellsOf(grapheme);
    if (used > column || cursor + grapheme.length > last) break;
    cursor += grapheme.length;
  }
  return { text: draft.text, cursor };
}
