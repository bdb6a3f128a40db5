import { BackofficeError } from '../../../src/contract/errors.ts';
import { wrap } from '../../terminal/cells.ts';
import type { App } from '../app/app.ts';
import type { Draft } from '../app/drafts.ts';
import { keyName } from '../app/keys.ts';
import { type Action, action } from '../app/types.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../draw/edit.ts';
import { editActions } from '../draw/field.ts';
import { visible } from '../draw/scroll.ts';
import { style } from '../draw/style.ts';
import { drawField, type FormField, labelCells } from './form-field.ts';

export type { FormField } from './form-field.ts';

export type Values = Readonly<Record<string, string>>;

export interface FormAbout {
  /** Names the draft that is kept when the form closes without being saved: `comment on #17`. */
  readonly name: string;
  /** Tells drafts of one name apart. */
  readonly key?: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly initial?: Values;
  /** What saving is called in the bottom line. */
  readonly verb?: string;
  /** Saves the values. `changed` are those that differ from the initial ones, `seen` what the person knew of them. */
  save(values: Values, changed: Values, seen: Values): Promise<unknown>;
  /** Reads the values again after somebody else has changed them. Without it, that is an error like others. */
  reread?(): Promise<Values>;
  /** Runs after the form has closed. */
  readonly saved?: (answer: never) => unknown;
  /** Other keys. `write` puts a text at the cursor. */
  readonly actions?: (write: (text: string) => void) => readonly Action[];
}

/** A form that is open, or a draft of it. */
export interface Form extends Draft {
  /** Opens the first long text in the editor of the person. */
  compose(): Promise<void>;
}

/** Opens a form, or the draft of it that was not saved. */
export function openForm(app: App, about: FormAbout): Form {
  const form = app.drafts.of(about.key ?? about.name, () => formDialog(app, about));
  app.open(form);
  return form;
}

export function formDialog(app: App, about: FormAbout): Form {
  const { fields, verb = 'save' } = about;
  const startOf = (values: Values) =>
    Object.fromEntries(fields.map(({ name, words }) => [name, values[name] ?? words?.[0] ?? '']));
  let initial = startOf(about.initial ?? {});
  let inputs: Record<string, TextInput> = {};
  let focus = 0;
  let isSaving = false;
  let error = '';
  let width = 80;
  const fill = (values: Values) => {
    inputs = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, textInput(text)]));
  };
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
  const focusOn = (to: number) => {
    focus = (to + fields.length) % fields.length;
  };
  const turn = (by: number) => {
    const { words = [] } = field();
    put(textInput(words[(words.indexOf(input().text) + by + words.length) % words.length] ?? ''));
  };
  const write = (text: string) => {
    const { kind, words = [] } = field();
    if (kind !== 'choice') return put(insert(input(), text, kind === 'text' ? 'lines' : 'one line'));
    if (text === ' ') return turn(1);
    const found = words.find((word) => word.toLowerCase().startsWith(text.toLowerCase()));
    if (found !== undefined) put(textInput(found));
  };

  const save = async () => {
    if (isSaving) return;
    isSaving = true;
    error = '';
    try {
      const answer = await about.save(values(), changed(), initial);
      app.drafts.drop(about.key ?? about.name);
      app.close(form);
      void app.attempt(() => about.saved?.(answer as never));
    } catch (failure) {
      await fail(failure);
    } finally {
      isSaving = false;
      app.changed();
    }
  };
  const fail = async (failure: unknown) => {
    error = app.explain(failure);
    if (failure instanceof BackofficeError && failure.code === 'changed' && about.reread !== undefined)
      await rebase(about.reread);
    else if (failure instanceof BackofficeError) {
      const wrong = fields.findIndex(({ name }) => name === failure.param?.replace('set.', ''));
      if (wrong !== -1) focusOn(wrong);
    }
    // Closed meanwhile: the draft is kept, and somebody must hear why.
    if (app.dialog() !== form)
      app.say(`${about.title} was not saved: ${error} Open it again to try once more.`, 'failed');
  };
  /** Takes over what others have changed, except in what this person has written. */
  const rebase = async (reread: () => Promise<Values>) => {
    const mine = changed();
    initial = startOf(await reread());
    fill({ ...initial, ...mine });
    error = `${error} ${keyName(app.keysOf(saving)[0] ?? '')} again replaces it with yours.`;
  };
  const compose = async () => {
    const at = field().kind === 'text' ? focus : fields.findIndex(({ kind }) => kind === 'text');
    if (at === -1 || isSaving) return;
    focusOn(at);
    const { suffix = '.md', problemOf } = field();
    put(textInput(await app.host.edit(input().text, suffix)));
    error = problemOf?.(input().text) ?? '';
  };
  const onEdit = (what: Edit) => put(edit(input(), what, width - labelCells - 3));

  const saving = action('form.save', ['ctrl+s', 'alt+enter'], { title: 'Save or send', hint: verb }, save);
  const next = (more: readonly string[]): readonly Action[] => [
    action('form.next', ['tab', ...more], { title: 'Go to the next field', hint: 'next' }, () =>
      focusOn(focus + 1),
    ),
    action('form.previous', 'shift+tab', { title: 'Go to the previous field' }, () => focusOn(focus - 1)),
  ];
  const ofField: Readonly<Record<FormField['kind'], () => readonly Action[]>> = {
    text: () => [
      action('form.newline', 'enter', { title: 'Start a new line' }, () =>
        put(insert(input(), '\n', 'lines')),
      ),
      action('form.editor', 'ctrl+x ctrl+e', { title: 'Write it in your editor' }, compose),
      ...editActions(onEdit, true),
    ],
    line: () => [entering, ...editActions(onEdit)],
    secret: () => [entering, ...editActions(onEdit)],
    choice: () => [
      entering,
      action('form.turn', ['right', 'space'], { title: 'Next choice', hint: 'change' }, () => turn(1)),
      action('form.turnBack', 'left', { title: 'Previous choice' }, () => turn(-1)),
    ],
  };
  const entering = action(
    'form.enter',
    'enter',
    { title: 'Go to the next field; in the last one, save' },
    () => (focus === fields.length - 1 ? save() : focusOn(focus + 1)),
  );

  const drawn = (cells: number) => {
    const lines: string[] = [];
    let cursorLine = 0;
    for (const each of fields) {
      const found = drawField(each, inputs[each.name] as TextInput, each === field(), cells);
      if (each === field()) cursorLine = lines.length + found.cursorLine;
      lines.push(...found.lines);
    }
    const below = isSaving
      ? [style.quiet('   Saving…')]
      : error === ''
        ? []
        : wrap(`✗ ${error}`, cells - 6).map((line) => `   ${style.bad(line)}`);
    return { lines, below, cursorLine };
  };

  const form: Form = {
    name: about.name,
    title: () => about.title,
    rows(cells) {
      const { lines, below } = drawn(cells);
      return lines.length + below.length;
    },
    actions: () => [
      saving,
      ...(fields.length === 1 ? [] : next(field().kind === 'text' ? [] : ['down'])),
      ...(about.actions?.(write) ?? []),
      ...ofField[field().kind](),
    ],
    draw({ width: cells, height }) {
      width = cells;
      const { lines, below, cursorLine } = drawn(cells);
      const room = Math.max(1, height - below.length);
      return [...visible(lines, Math.max(0, cursorLine - room + 1), room), ...below];
    },
    write,
    back() {
      for (const { name, kind } of fields) if (kind === 'secret' && !isSaving) inputs[name] = textInput('');
      app.close(form);
      return true;
    },
    hasContent: () =>
      fields.some(({ name, kind }) => kind !== 'secret' && inputs[name]?.text !== initial[name]),
    written() {
      const shown = fields.filter(({ kind }) => kind !== 'secret');
      const textOf = ({ name }: FormField) => inputs[name]?.text ?? '';
      const [only, ...others] = shown;
      if (only !== undefined && others.length === 0) return textOf(only);
      return shown.map((field) => `${field.label}:\n${textOf(field)}`).join('\n\n');
    },
    compose,
  };
  return form;
}
