import { BackofficeError } from '../../../src/contract/errors.ts';
import { Lines } from '../components/lines.tsx';
import type { Chain } from '../keys/scopes.ts';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { createStore, useStore } from '../state/store.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../text/edit.ts';
import { editChecked } from './edit-checked.ts';
import { type Field, startInput } from './form-fields.ts';
import { type FormState, formLines, indentOf } from './form-lines.ts';

export type Values = Readonly<Record<string, string>>;

/** Runs after the form has closed, for example to show what it has created. */
export type FollowUp = () => Promise<void> | void;

export interface FormOptions {
  readonly title: () => string;
  readonly fields: readonly Field[];
  /** The word for submitting in the footer. The default is `save`. */
  readonly verb?: string;
  /** Submits the values. The form closes if this succeeds; if it fails, the form stays open and shows the error. */
  readonly submit: (values: Values) => Promise<FollowUp | undefined>;
}

/** A form that keeps its values until they are submitted, also when it is closed with Esc. */
export interface Form extends Dialog {
  /** Reports whether there are unsubmitted values. Secrets do not count, because they are not kept. */
  hasContent(): boolean;
  fill(values: Values): void;
  /** Returns the text of a field. */
  textOf(field: string): string;
  /** Returns what is written in all fields except the secret ones, with their labels. */
  written(): string;
  /** Opens the text of a field in the user's editor. What the user saves there is in the form, for review. */
  compose(field: string): Promise<void>;
}

/** Reports whether the cursor is before a word or where one could start. */
function isWordStart({ text, cursor }: TextInput): boolean {
  return cursor === 0 || /\s/.test(text[cursor - 1] ?? '');
}

export function createForm(app: App, { title, fields, verb = 'save', submit }: FormOptions): Form {
  const initial = Object.fromEntries(
    fields.map((field) => [field.name, startInput(field, field.initial ?? '')] as const),
  );
  const store = createStore<FormState>({ inputs: initial, focus: 0, error: '', isSubmitting: false });
  const indent = indentOf(fields);
  let width = 80;

  const focusedField = () => fields[store.get().focus] as Field;
  const inputAt = ({ name }: Field) => store.get().inputs[name] ?? textInput('');
  const put = (field: Field, input: TextInput) =>
    store.set({ inputs: { ...store.get().inputs, [field.name]: input }, error: '' });
  const turn = (field: Field, by: number) => {
    const options = field.options ?? [];
    const index = options.indexOf(inputAt(field).text) + by + options.length;
    put(field, textInput(options[index % options.length] ?? ''));
  };
  const moveFocus = (by: number) =>
    store.set({ focus: (store.get().focus + by + fields.length) % fields.length });
  const close = () => {
    app.close(form);
    const secrets = fields.filter(({ kind }) => kind === 'secret').map(({ name }) => [name, textInput('')]);
    store.set({ inputs: { ...store.get().inputs, ...Object.fromEntries(secrets) }, error: '' });
  };
  const submitForm = async () => {
    if (store.get().isSubmitting) return;
    const values = Object.fromEntries(fields.map((field) => [field.name, inputAt(field).text]));
    store.set({ isSubmitting: true, error: '' });
    try {
      const followUp = await submit(values);
      store.set({ inputs: initial, focus: 0 });
      app.close(form);
      if (followUp !== undefined) void app.attempt(async () => followUp());
    } catch (error) {
      const wrong = error instanceof BackofficeError ? error.param : undefined;
      const index = fields.findIndex(({ name }) => name === wrong);
      store.set({ error: app.explain(error), ...(index === -1 ? {} : { focus: index }) });
    } finally {
      store.set({ isSubmitting: false });
    }
  };

  const offerTexts = (field: Field, whenCancelled: string) => {
    const add = (text: string) => put(field, insert(inputAt(field), text, 'lines'));
    const offer = field.offer?.({
      take: add,
      cancel: (typed) => whenCancelled !== '' && add(whenCancelled + typed),
    });
    if (offer !== undefined) app.open(offer);
  };
  const compose = async (field: Field) => {
    if (field.kind !== 'lines') return;
    const written = await editChecked(app, inputAt(field).text, field);
    put(field, insert(textInput(''), written, 'lines'));
  };

  const form: Form = {
    title,
    verb,
    ...(fields.length === 1 ? { unhinted: ['form.next', 'editor.next'] } : {}),
    hasContent: () =>
      fields.some((field) => field.kind !== 'secret' && inputAt(field).text !== initial[field.name]?.text),
    textOf: (name) => store.get().inputs[name]?.text ?? '',
    written: () =>
      fields
        .filter((field) => field.kind !== 'secret' && inputAt(field).text !== '')
        .map((field) => (field.label === '' ? '' : `${field.label}: `) + inputAt(field).text)
        .join('\n'),
    fill(values) {
      const given = fields.flatMap((field) => {
        const text = values[field.name];
        return text === undefined ? [] : [[field.name, startInput(field, text)] as const];
      });
      store.set({ inputs: { ...store.get().inputs, ...Object.fromEntries(given) } });
    },
    async compose(name) {
      const index = fields.findIndex((each) => each.name === name);
      const field = fields[index];
      if (field === undefined) return;
      store.set({ focus: index });
      app.open(form);
      await app.attempt(() => compose(field));
    },
    subscribe: store.subscribe,
    chain(): Chain {
      const { kind, offer } = focusedField();
      if (kind !== 'lines') return 'form';
      return offer === undefined ? 'editor' : 'reply';
    },
    rows: (cells) =>
      Math.max(fields.length === 1 ? 4 : 0, formLines(fields, store.get(), cells).lines.length),
    write(text) {
      const field = focusedField();
      if (text === '/' && field.offer !== undefined && isWordStart(inputAt(field)))
        return offerTexts(field, '/');
      if (field.kind !== 'choice') {
        return put(field, insert(inputAt(field), text, field.kind === 'lines' ? 'lines' : 'one line'));
      }
      if (text === ' ') return turn(field, 1);
      const option = field.options?.find((each) => each.toLowerCase().startsWith(text.toLowerCase()));
      if (option !== undefined) put(field, textInput(option));
    },
    perform(action) {
      const field = focusedField();
      if (action === 'everywhere.back') return close();
      if (action === 'form.next' || action === 'editor.next') return moveFocus(1);
      if (action === 'form.previous' || action === 'editor.previous') return moveFocus(-1);
      if (action === 'form.enter' && store.get().focus < fields.length - 1) return moveFocus(1);
      if (action === 'form.enter' || action === 'form.submit' || action === 'editor.submit')
        return void submitForm();
      if (action === 'reply.saved') return offerTexts(field, '');
      if (action === 'compose.external') return void app.attempt(() => compose(field));
      if (action === 'editor.newline') return put(field, insert(inputAt(field), '\n', 'lines'));
      const [scope, what] = action.split('.') as [string, Edit];
      if (scope !== 'text' && scope !== 'editor') return;
      if (field.kind === 'choice') return turn(field, what === 'left' ? -1 : 1);
      put(field, edit(inputAt(field), what, width - indent - 1));
    },
    View: ({ width: cells, height }: Size) => {
      const state = useStore(store);
      width = cells;
      const { lines, cursorLine } = formLines(fields, state, cells);
      const top = Math.max(0, Math.min(cursorLine - height + 1, lines.length - height));
      return <Lines lines={lines.slice(top)} height={height} />;
    },
  };
  return form;
}
