import { cellsOf, cut, graphemesOf, layout } from '../../terminal/cells.ts';
import { cursorPosition, type TextInput, visible } from '../text/edit.ts';
import { theme } from '../theme.ts';

/** Returns the visible part of a text field with its cursor. */
export function showLine(input: TextInput, cells: number): string {
  const { cursor } = input;
  const text = visible(input.text);
  let start = 0;
  while (start < cursor && cellsOf(text.slice(start, cursor)) > cells - 1) {
    start += graphemesOf(text.slice(start, cursor))[0]?.length ?? 1;
  }
  return withCursor(clip(text.slice(start), cells), cursor - start);
}

/** Returns the lines of a text area and the index of the cursor's line. The cursor is shown if the field has the focus. */
export function showLines(
  input: TextInput,
  cells: number,
  isFocused: boolean,
): { lines: string[]; cursorLine: number } {
  const { line } = cursorPosition(input, cells);
  const text = visible(input.text);
  const lines = layout(text, cells).map(({ start, end }, index) => {
    const shown = text.slice(start, end);
    return isFocused && index === line ? withCursor(shown, input.cursor - start) : shown;
  });
  return { lines, cursorLine: line };
}

/** Returns the placeholder of an empty field, with the cursor at its start. */
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

/** Returns the text with the character at the offset inverted, a cursor that works in every terminal. */
function withCursor(text: string, offset: number): string {
  const under = graphemesOf(text.slice(offset))[0] ?? ' ';
  return (
    text.slice(0, offset) +
    theme.selected(under) +
    text.slice(offset + (offset < text.length ? under.length : 0))
  );
}
