import { cellsOf, cut, graphemesOf, layout } from '../../output/cells.ts';
import type { Draft } from '../text/edit.ts';
import { placeOf, visible } from '../text/edit.ts';
import { theme } from '../theme.ts';

/** A line that is being written, with its cursor in sight. */
export function showLine(draft: Draft, cells: number): string {
  const { cursor } = draft;
  const text = visible(draft.text);
  let start = 0;
  while (start < cursor && cellsOf(text.slice(start, cursor)) > cells - 1) {
    start += graphemesOf(text.slice(start, cursor))[0]?.length ?? 1;
  }
  return withCursor(clip(text.slice(start), cells), cursor - start);
}

/** Lines that are being written, and which of them has the cursor, which is shown where somebody writes there now. */
export function showLines(
  draft: Draft,
  cells: number,
  isFocused: boolean,
): { lines: string[]; cursorLine: number } {
  const { line } = placeOf(draft, cells);
  const text = visible(draft.text);
  const lines = layout(text, cells).map(({ start, end }, index) => {
    const shown = text.slice(start, end);
    return isFocused && index === line ? withCursor(shown, draft.cursor - start) : shown;
  });
  return { lines, cursorLine: line };
}

/** What stands in an empty text, with the cursor at its start. */
export function showNote(note: string, cells: number): string {
  const shown = cut(note, cells);
  return theme.selected(shown.slice(0, 1)) + theme.quiet(shown.slice(1));
}

function clip(text: string, cells: number): string {
  let kept = '';
  for (const grapheme of graphemesOf(text)) {
    if (cellsOf(kept + grapheme) > cells) break;
    kept += grapheme;
  }
  return kept;
}

/** A text with the character at an offset turned round: a cursor that every terminal has. */
function withCursor(text: string, offset: number): string {
  const under = graphemesOf(text.slice(offset))[0] ?? ' ';
  return (
    text.slice(0, offset) +
    theme.selected(under) +
    text.slice(offset + (offset < text.length ? under.length : 0))
  );
}
