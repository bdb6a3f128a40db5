import { BackofficeError } from '../../../src/contract/errors.ts';
import { cut, fit, wrap } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import type { Draft } from '../app/drafts.ts';
import { keyName } from '../app/keys.ts';
import type { Action } from '../app/types.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../draw/edit.ts';
import { editActions, fieldLine, fieldLines } from '../draw/field.ts';
import { visible } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'line' | 'text' | 'secret' | 'choice';
  readonly words?: readonly string[];
  readonly placeholder?: string;
}

export type Values = Readonly<Record<string, string>>;

export interface FormAbout {
  /** Names the draft that is kept when the form closes without being saved. */
  readonly name: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly initial?: Values;
  readonly verb?: string;
  /** Saves the values. `changed` are those that differ from the initial ones, `seen` what the person knew of them. */
  save(values: Values, changed: Values, seen: Values): Promise<unknown>;
  /** Reads the values again after somebody else has changed them. Without it, that is an error like others. */
  reread?(): Promise<Values>;
  /** Runs after the form has closed. */
  readonly saved?: (answer: never) => unknown;
}

/** Opens a form, or the draft of it that was not saved. */
export const openForm = (app: App, about: FormAbout): void =>
  app.open(app.drafts.of(about.name, () => formDialog(app, about)));

const labelCells = 20;
const maxTextRows = 8;
const dots = (text: string) => '•'.repeat([...text].length);

export function formDialog(app: App, about: FormAbout): Draft {
  const { fields, verb = 'save' } = about;
  const startOf = (values: Values) =>
    Object.fromEntries(fields.map(({ name, words }) => [name, values[name] ?? words?.[0] ?? '']));
  let initial = startOf(about.initial ?? {});
  let inputs: Record<string, TextInput> = {};
  let focus = 0;
  let isSaving = false;
  let error = '';
  let width = 80;
  const fill = (values: Values) =>
    (inputs = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, textInput(text)])));
  fill(initial);

  const field = () => fields[focus] as FormField;
  const input = () => inputs[field().name] as TextInput;
  const put = (next: TextInput) => {
    // What is typed while the values are on their way would be lost.
    if (!isSaving) inputs[field().name] = next;
  };
  const values = (): Values =>
    Object.fromEntries(Object.entries(inputs).map(([name, { text }]) => [name, text]));
  const changed = (): Values =>
    Object.fromEntries(Object.entries(values()).filter(([name, text]) => text !== initial[name]));
  const focusOn = (to: number) => (focus = (to + fields.length) % fields.length);
  const turn = (by: number) => {
    const { words = [] } = field();
    put(textInput(words[(words.indexOf(input().text) + by + words.length) % words.length] ?? ''));
  };

  const save = async () => {
    if (isSaving) return;
    isSaving = true;
    error = '';
    try {
      const answer = await about.save(values(), changed(), initial);
      app.drafts.drop(about.name);
      app.close(form);
      void app.attempt(() => about.saved?.(answer as never));
    } catch (failure) {
      error = app.explain(failure);
      if (failure instanceof BackofficeError && failure.code === 'changed' && about.reread !== undefined)
        await rebase(about.reread);
      else if (failure instanceof BackofficeError)
        focusOn(
          Math.max(
            0,
            fields.findIndex(({ name }) => name === failure.param?.replace('set.', '')),
          ),
        );
      // Closed meanwhile: the draft is kept, and somebody must hear why.
      if (app.dialog() !== form)
        app.say(`${about.title} was not saved: ${error} Open it again to try once more.`, 'failed');
    } finally {
      isSaving = false;
      app.changed();
    }
  };
  /** Takes over what others have changed, except in what this person has written. */
  const rebase = async (reread: () => Promise<Values>) => {
    const mine = changed();
    initial = startOf(await reread());
    fill({ ...initial, ...mine });
    error = `${error} ${keyName(keyOf('form.save'))} again replaces it with yours.`;
  };
  const compose = async () => {
    if (field().kind === 'text') put(textInput(await app.host.edit(input().text, '.md')));
  };
  const keyOf = (id: string) => {
    const action = actions().find((each) => each.id === id);
    return action === undefined ? '' : (app.keysOf(action)[0] ?? '');
  };
  const isLast = () => focus === fields.length - 1;
  const onEdit = (what: Edit) => put(edit(input(), what, width - labelCells - 3));

  const actions = (): readonly Action[] => [
    { id: 'form.save', keys: ['ctrl+s'], title: 'Save', hint: verb, run: save },
    ...(fields.length === 1
      ? []
      : [
          {
            id: 'form.next',
            keys: ['tab'],
            title: 'Go to the next field',
            hint: 'next',
            run: () => focusOn(focus + 1),
          },
          {
            id: 'form.previous',
            keys: ['shift+tab'],
            title: 'Go to the previous field',
            run: () => focusOn(focus - 1),
          },
        ]),
    ...(field().kind === 'text'
      ? [
          {
            id: 'form.newline',
            keys: ['enter'],
            title: 'Start a new line',
            run: () => put(insert(input(), '\n', 'lines')),
          },
          { id: 'form.editor', keys: ['ctrl+x ctrl+e'], title: 'Write it in your editor', run: compose },
        ]
      : [
          {
            id: 'form.enter',
            keys: ['enter'],
            title: 'Go on',
            run: () => (isLast() ? save() : focusOn(focus + 1)),
          },
        ]),
    ...(field().kind === 'choice'
      ? [
          {
            id: 'form.turn',
            keys: ['right', 'space', 'down'],
            title: 'Next choice',
            hint: 'change',
            run: () => turn(1),
          },
          { id: 'form.turnBack', keys: ['left', 'up'], title: 'Previous choice', run: () => turn(-1) },
        ]
      : editActions(onEdit, field().kind === 'text')),
  ];

  const linesOf = ({ name, label, kind, words = [], placeholder }: FormField, cells: number) => {
    const isFocused = fields[focus]?.name === name;
    const value = inputs[name] as TextInput;
    const head = `${isFocused ? style.accent('❯') : ' '} ${isFocused ? style.strong(fit(label, labelCells - 3)) : fit(label, labelCells - 3)} `;
    const room = cells - labelCells - 2;
    const drawn = () => {
      if (kind === 'choice')
        return {
          lines: [
            words
              .map((word) => (word === value.text ? style.selected(` ${word} `) : style.quiet(` ${word} `)))
              .join(''),
          ],
          cursorLine: 0,
        };
      const shown =
        kind === 'secret'
          ? { text: dots(value.text), cursor: dots(value.text.slice(0, value.cursor)).length }
          : value;
      if (kind !== 'text')
        return {
          lines: [
            isFocused ? fieldLine(shown, room, placeholder) : cut(shown.text || (placeholder ?? ''), room),
          ],
          cursorLine: 0,
        };
      const { lines, cursorLine } = fieldLines(shown, room, isFocused);
      return {
        lines: visible(lines, Math.max(0, cursorLine - maxTextRows + 1), maxTextRows),
        cursorLine: Math.min(cursorLine, maxTextRows - 1),
      };
    };
    const { lines, cursorLine } = drawn();
    return {
      lines: lines.map((line, at) => (at === 0 ? ` ${head}${line}` : `${' '.repeat(labelCells + 1)}${line}`)),
      cursorLine,
    };
  };
  const drawn = (cells: number) => {
    const lines: string[] = [];
    let cursorLine = 0;
    for (const each of fields) {
      const found = linesOf(each, cells);
      if (each === field()) cursorLine = lines.length + found.cursorLine;
      lines.push(...found.lines);
    }
    const below = isSaving
      ? [style.quiet('   Saving…')]
      : error === ''
        ? []
        : wrap(`✗ ${error}`, cells - 6).map((line) => `   ${style.bad(line)}`);
    return {
      lines: [...lines, ...below],
      cursorLine: below.length > 0 ? lines.length + below.length - 1 : cursorLine,
    };
  };

  const form: Draft = {
    title: () => about.title,
    rows: (cells) => drawn(cells).lines.length,
    actions,
    draw({ width: cells, height }) {
      width = cells;
      const { lines, cursorLine } = drawn(cells);
      return visible(lines, Math.max(0, cursorLine - height + 1), height);
    },
    write(text) {
      const { kind, words = [] } = field();
      if (kind !== 'choice') return put(insert(input(), text, kind === 'text' ? 'lines' : 'one line'));
      if (text === ' ') return turn(1);
      const found = words.find((word) => word.toLowerCase().startsWith(text.toLowerCase()));
      if (found !== undefined) put(textInput(found));
    },
    back() {
      for (const { name, kind } of fields) if (kind === 'secret' && !isSaving) inputs[name] = textInput('');
      app.close(form);
      return true;
    },
    hasContent: () =>
      fields.some(({ name, kind }) => kind !== 'secret' && inputs[name]?.text !== initial[name]),
    written: () =>
      fields
        .filter(({ kind }) => kind !== 'secret')
        .map(({ name, label }) => `${label}:\n${inputs[name]?.text}`)
        .join('\n\n'),
  };
  return form;
}
