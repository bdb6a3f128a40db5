import { cellsOf, cut, graphemesOf, layout } from '../../terminal/cells.ts';
import type { Action } from '../app/types.ts';
import { cursorPosition, type Edit, type TextInput, visible } from './edit.ts';
import { style } from './style.ts';

/** Draws a field of one line, scrolled so that the cursor is visible. Takes time in proportion to the text. */
export function fieldLine({ text, cursor }: TextInput, cells: number, placeholder = ''): string {
  if (text === '') {
    const shown = cut(placeholder === '' ? ' ' : placeholder, cells);
    return style.selected(shown.slice(0, 1)) + style.quiet(shown.slice(1));
  }
  const graphemes = graphemesOf(visible(text));
  const widths = graphemes.map(cellsOf);
  let at = 0;
  let offset = 0;
  while (offset < cursor) offset += graphemes[at++]?.length ?? 1;
  let from = at;
  let used = widths[at] ?? 1;
  while (from > 0 && used + (widths[from - 1] ?? 0) <= cells) used += widths[--from] ?? 0;
  let to = at + 1;
  while (to < graphemes.length && used + (widths[to] ?? 0) <= cells) used += widths[to++] ?? 0;
  const part = (start: number, end: number) => graphemes.slice(start, end).join('');
  return part(from, at) + style.selected(graphemes[at] ?? ' ') + part(at + 1, to);
}

/** Draws a field of several lines, and returns the line of the cursor. */
export function fieldLines(
  input: TextInput,
  cells: number,
  isFocused: boolean,
): { readonly lines: string[]; readonly cursorLine: number } {
  const { line } = cursorPosition(input, cells);
  const text = visible(input.text);
  const lines = layout(text, cells).map(({ start, end }, index) => {
    const shown = text.slice(start, end);
    if (!isFocused || index !== line) return shown;
    const at = input.cursor - start;
    const under = graphemesOf(shown.slice(at))[0] ?? '';
    return shown.slice(0, at) + style.selected(under || ' ') + shown.slice(at + under.length);
  });
  return { lines, cursorLine: line };
}

const edits: readonly (readonly [edit: Edit, title: string, ...keys: string[]])[] = [
  ['left', 'Move left', 'left', 'ctrl+b'],
  ['right', 'Move right', 'right', 'ctrl+f'],
  ['wordLeft', 'Move a word left', 'alt+b', 'ctrl+left', 'alt+left'],
  ['wordRight', 'Move a word right', 'alt+f', 'ctrl+right', 'alt+right'],
  ['lineStart', 'Move to the start of the line', 'home', 'ctrl+a'],
  ['lineEnd', 'Move to the end of the line', 'end', 'ctrl+e'],
  ['deleteBack', 'Delete the character before', 'backspace'],
  ['deleteForward', 'Delete the character after', 'delete', 'ctrl+d'],
  ['deleteWord', 'Delete the word before', 'ctrl+w', 'alt+backspace'],
  ['deleteToStart', 'Delete to the start of the line', 'ctrl+u'],
  ['deleteToEnd', 'Delete to the end of the line', 'ctrl+k'],
];
const verticals: typeof edits = [
  ['up', 'Move up', 'up'],
  ['down', 'Move down', 'down'],
];

/** Returns the actions of a text field. */
export const editActions = (run: (edit: Edit) => unknown, hasLines = false): readonly Action[] =>
  [...edits, ...(hasLines ? verticals : [])].map(([edit, title, ...keys]) => ({
    id: `text.${edit}`,
    keys,
    title,
    run: () => run(edit),
  }));
