import { cut, fit, graphemesOf } from '../../terminal/cells.ts';
import { showLine, showLines, showNote } from '../components/text-field.ts';
import type { Dialog } from '../state/screen-types.ts';
import { emptyInput, insert, type TextInput, textInput, visible } from '../text/edit.ts';
import { theme } from '../theme.ts';

export interface Field {
  readonly name: string;
  /** Empty if it is the only field of its form. */
  readonly label: string;
  readonly kind: 'text' | 'secret' | 'choice' | 'lines';
  readonly options?: readonly string[];
  readonly initial?: string;
  /** The placeholder of the empty field. */
  readonly note?: string;
  /** What the text of a field of several lines is, for the user's editor. The default is Markdown. */
  readonly suffix?: '.md' | '.json' | '.txt';
  /** Returns the dialog that offers texts to insert, for a key and for a slash at the start of a word. */
  readonly offer?: (offer: TextOffer) => Dialog;
  /** Returns what the user should know about the text, if anything. */
  readonly remark?: (text: string) => string | undefined;
}

/** Where an offered text goes. */
export interface TextOffer {
  take(text: string): void;
  /** Receives what was typed in the dialog if nothing is chosen. */
  cancel(typed: string): void;
}

/** The maximum number of visible lines of a text area. */
const maxLines = 8;

/** Returns the content of a field that starts with a text. A field of one line takes no line breaks. */
export function startInput({ kind }: Field, text: string): TextInput {
  return kind === 'text' ? insert(emptyInput, text, 'one line') : textInput(text);
}

/** Returns the lines of a field and the index of the cursor's line. */
export function showField(
  { kind, note = '', options = [] }: Field,
  input: TextInput,
  isFocused: boolean,
  cells: number,
): { lines: string[]; cursorLine: number } {
  if (kind === 'choice') return { lines: [showOptions(options, input.text)], cursorLine: 0 };
  if (input.text === '' && note !== '') {
    return { lines: [isFocused ? showNote(note, cells) : theme.quiet(cut(note, cells))], cursorLine: 0 };
  }
  if (kind !== 'lines') {
    const text = kind === 'secret' ? masked(input) : input;
    return { lines: [isFocused ? showLine(text, cells) : fit(visible(text.text), cells)], cursorLine: 0 };
  }
  const { lines, cursorLine } = showLines(input, cells, isFocused);
  const top = Math.max(0, Math.min(cursorLine - maxLines + 1, lines.length - maxLines));
  return { lines: lines.slice(top, top + maxLines), cursorLine: cursorLine - top };
}

/** Shows the options. A sign marks the chosen one, because inverse text is lost when it is copied. */
function showOptions(options: readonly string[], chosen: string): string {
  return options
    .map((option) => (option === chosen ? `❯${theme.selected(` ${option} `)}` : `  ${option} `))
    .join('');
}

function masked({ text, cursor }: TextInput): TextInput {
  const dots = (part: string) => '•'.repeat(graphemesOf(part).length);
  return { text: dots(text), cursor: dots(text.slice(0, cursor)).length };
}
