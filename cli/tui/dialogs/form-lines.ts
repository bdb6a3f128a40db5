import { cellsOf, fit, wrap } from '../../terminal/cells.ts';
import { type TextInput, textInput } from '../text/edit.ts';
import { theme } from '../theme.ts';
import { type Field, showField } from './form-fields.ts';

export interface FormState {
  readonly inputs: Readonly<Record<string, TextInput>>;
  readonly focus: number;
  readonly error: string;
  readonly isSubmitting: boolean;
}

const warned = (line: string) => `  ${theme.warning(line)}`;

/** Returns how many cells the labels take that are before the fields. */
export function indentOf(fields: readonly Field[]): number {
  const labelCells = labelCellsOf(fields);
  return labelCells === 0 ? 2 : labelCells + 6;
}

function labelCellsOf(fields: readonly Field[]): number {
  return Math.max(...fields.map(({ label }) => cellsOf(label)));
}

/** Returns the lines of a form: its fields, then what is wrong with them. Also returns the line that must be visible. */
export function formLines(
  fields: readonly Field[],
  state: FormState,
  cells: number,
): { lines: string[]; cursorLine: number } {
  const labelCells = labelCellsOf(fields);
  const indent = indentOf(fields);
  const lines: string[] = [];
  let cursorLine = 0;
  for (const [position, field] of fields.entries()) {
    const isFocused = position === state.focus;
    const name = field.label === '' ? '  ' : `  ${isFocused ? '❯' : ' '} ${fit(field.label, labelCells)}  `;
    const shown = showField(field, state.inputs[field.name] ?? textInput(''), isFocused, cells - indent - 1);
    if (isFocused) cursorLine = lines.length + shown.cursorLine;
    lines.push(
      ...shown.lines.map((line, index) => {
        const margin = index === 0 ? name : ' '.repeat(indent);
        return (isFocused ? theme.strong(margin) : theme.quiet(margin)) + line;
      }),
    );
  }
  const status =
    state.error === '' ? [] : wrap(`✗ ${state.error}`, cells - 4).map((line) => `  ${theme.bad(line)}`);
  if (state.isSubmitting) status.push(theme.quiet('  Saving…'));
  for (const { name, remark } of fields) {
    const sentence = remark?.(state.inputs[name]?.text ?? '');
    if (sentence !== undefined) status.push(...wrap(`! ${sentence}`, cells - 4).map(warned));
  }
  return {
    lines: [...lines, ...status],
    cursorLine: state.error === '' ? cursorLine : lines.length + status.length - 1,
  };
}
