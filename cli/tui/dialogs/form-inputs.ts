import { createStore, type Store } from '../state/store.ts';
import { insert, type TextInput, textInput } from '../text/edit.ts';
import { type Field, startInput } from './form-fields.ts';
import type { FormState } from './form-lines.ts';

export type Values = Readonly<Record<string, string>>;

/** What is written in the fields of a form, and which of them has the focus. */
export interface FormInputs {
  readonly store: Store<FormState>;
  focused(): Field;
  inputAt(field: Field): TextInput;
  put(field: Field, input: TextInput): void;
  /** Inserts a text at the cursor of a field. */
  insert(field: Field, text: string): void;
  /** Moves to another option of a choice. */
  turn(field: Field, by: number): void;
  /** Chooses the option that starts with the text, if there is one. */
  choose(field: Field, text: string): void;
  moveFocus(by: number): void;
  /** Gives the focus to a field, if it is one of the form. */
  focusOn(name: string | undefined): void;
  values(): Values;
  /** Reports whether something is written that the form did not start with. Secrets do not count. */
  hasContent(): boolean;
  /** Returns what is written in all fields except the secret ones, with their labels. */
  written(): string;
  fill(values: Values): void;
  /** Forgets the secrets, and the error. */
  forgetSecrets(): void;
  /** Goes back to what the form started with. */
  reset(): void;
}

export function createFormInputs(fields: readonly Field[]): FormInputs {
  const initial = Object.fromEntries(
    fields.map((field) => [field.name, startInput(field, field.initial ?? '')] as const),
  );
  const store = createStore<FormState>({ inputs: initial, focus: 0, error: '', isSubmitting: false });
  const shown = fields.filter(({ kind }) => kind !== 'secret');
  const change = (inputs: Readonly<Record<string, TextInput>>) =>
    store.set({ inputs: { ...store.get().inputs, ...inputs } });

  const inputs: FormInputs = {
    store,
    focused: () => fields[store.get().focus] as Field,
    inputAt: ({ name }) => store.get().inputs[name] ?? textInput(''),
    put: ({ name }, input) => store.set({ inputs: { ...store.get().inputs, [name]: input }, error: '' }),
    insert: (field, text) =>
      inputs.put(field, insert(inputs.inputAt(field), text, field.kind === 'lines' ? 'lines' : 'one line')),
    turn(field, by) {
      const options = field.options ?? [];
      const index = options.indexOf(inputs.inputAt(field).text) + by + options.length;
      inputs.put(field, textInput(options[index % options.length] ?? ''));
    },
    choose(field, text) {
      const option = field.options?.find((each) => each.toLowerCase().startsWith(text.toLowerCase()));
      if (option !== undefined) inputs.put(field, textInput(option));
    },
    moveFocus: (by) => store.set({ focus: (store.get().focus + by + fields.length) % fields.length }),
    focusOn(name) {
      const index = fields.findIndex((field) => field.name === name);
      if (index !== -1) store.set({ focus: index });
    },
    values: () => Object.fromEntries(fields.map((field) => [field.name, inputs.inputAt(field).text])),
    hasContent: () => shown.some((field) => inputs.inputAt(field).text !== initial[field.name]?.text),
    written: () =>
      shown
        .filter((field) => inputs.inputAt(field).text !== '')
        .map((field) => (field.label === '' ? '' : `${field.label}: `) + inputs.inputAt(field).text)
        .join('\n'),
    fill(values) {
      const given = fields.flatMap((field) => {
        const text = values[field.name];
        return text === undefined ? [] : [[field.name, startInput(field, text)] as const];
      });
      change(Object.fromEntries(given));
    },
    forgetSecrets() {
      const secrets = fields.filter(({ kind }) => kind === 'secret');
      change(Object.fromEntries(secrets.map(({ name }) => [name, textInput('')])));
      store.set({ error: '' });
    },
    reset: () => store.set({ inputs: initial, focus: 0 }),
  };
  return inputs;
}
