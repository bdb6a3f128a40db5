import { cut, fit } from '../../terminal/cells.ts';
import type { TextInput } from '../draw/edit.ts';
import { fieldLine, fieldLines } from '../draw/field.ts';
import { visible } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';

export interface FormField {
  readonly name: string;
  readonly label: string;
  /** `line`: one line. `text`: several. `secret`: a line that is not shown. `choice`: one of some words. */
  readonly kind: 'line' | 'text' | 'secret' | 'choice';
  readonly words?: readonly string[];
  /** What an empty field means. */
  readonly placeholder?: string;
  /** The suffix of its file in the editor, by default that of Markdown. */
  readonly suffix?: '.json' | '.txt';
  /** Returns what is wrong with a text from the editor. The form shows it. */
  readonly problemOf?: (text: string) => string | undefined;
}

export const labelCells = 22;
const maxTextRows = 8;
const dots = (text: string) => '•'.repeat([...text].length);

interface DrawnField {
  readonly lines: readonly string[];
  readonly cursorLine: number;
}

/** Draws a field with its label. A text of many lines is scrolled to its cursor. */
export function drawField(field: FormField, input: TextInput, isFocused: boolean, cells: number): DrawnField {
  const room = cells - labelCells - 2;
  const label = fit(field.label, labelCells - 3);
  const head = ` ${isFocused ? style.accent('❯') : ' '} ${isFocused ? style.strong(label) : label} `;
  const { lines, cursorLine } = drawInput(field, input, isFocused, room);
  const indent = ' '.repeat(labelCells + 1);
  return { lines: lines.map((line, at) => (at === 0 ? head : indent) + line), cursorLine };
}

function drawInput(
  { kind, words = [], placeholder = '' }: FormField,
  input: TextInput,
  isFocused: boolean,
  room: number,
): DrawnField {
  const { text, cursor } = input;
  const oneLine = (line: string) => ({ lines: [line], cursorLine: 0 });
  if (kind === 'choice') {
    const drawn = words.map((word) => (word === text ? style.selected : style.quiet)(` ${word} `));
    return oneLine(drawn.join(''));
  }
  if (kind === 'text') {
    const { lines, cursorLine } = fieldLines(input, room, isFocused);
    if (!isFocused && lines.length > maxTextRows) {
      const more = style.quiet(`↓ ${lines.length - maxTextRows + 1} more lines`);
      return { lines: [...lines.slice(0, maxTextRows - 1), more], cursorLine: 0 };
    }
    return {
      lines: visible(lines, Math.max(0, cursorLine - maxTextRows + 1), maxTextRows),
      cursorLine: Math.min(cursorLine, maxTextRows - 1),
    };
  }
  const shown = kind === 'secret' ? { text: dots(text), cursor: dots(text.slice(0, cursor)).length } : input;
  if (isFocused) return oneLine(fieldLine(shown, room, placeholder));
  return oneLine(shown.text === '' ? style.quiet(cut(placeholder, room)) : cut(shown.text, room));
}
