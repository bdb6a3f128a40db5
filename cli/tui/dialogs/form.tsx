import { BackofficeError } from '../../../src/contract/errors.ts';
import { Lines } from '../components/lines.tsx';
import type { App } from '../state/app.ts';
import type { Dialog, Size } from '../state/screen-types.ts';
import { useStore } from '../state/store.ts';
import { type Edit, edit, insert, type TextInput, textInput } from '../text/edit.ts';
import { editChecked } from './edit-checked.ts';
import type { Field } from './form-fields.ts';
import { createFormInputs, type Values } from './form-inputs.ts';
import { formLines, indentOf } from './form-lines.ts';

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
  const inputs = createFormInputs(fields);
  const { store } = inputs;
  const indent = indentOf(fields);
  let width = 80;

  const submitForm = async () => {
    if (store.get().isSubmitting) return;
    store.set({ isSubmitting: true, error: '' });
    try {
      const followUp = await submit(inputs.values());
      inputs.reset();
      app.close(form);
      if (followUp !== undefined) void app.attempt(async () => followUp());
    } catch (error) {
      store.set({ error: app.explain(error) });
      inputs.focusOn(error instanceof BackofficeError ? error.param : undefined);
    } finally {
      store.set({ isSubmitting: false });
    }
  };
  /** @param whenCancelled - what is typed in the field instead if no text is chosen */
  const offerTexts = (field: Field, whenCancelled: string) => {
    const offer = field.offer?.({
      take: (text) => inputs.insert(field, text),
      cancel: (typed) => whenCancelled !== '' && inputs.insert(field, whenCancelled + typed),
    });
    if (offer !== undefined) app.open(offer);
  };
  const compose = async (field: Field) => {
    if (field.kind !== 'lines') return;
    const written = await editChecked(app, inputs.inputAt(field).text, field);
    inputs.put(field, insert(textInput(''), written, 'lines'));
  };

  const form: Form = {
    title,
    verb,
    ...(fields.length === 1 ? { unhinted: ['form.next', 'editor.next'] } : {}),
    hasContent: inputs.hasContent,
    textOf: (name) => store.get().inputs[name]?.text ?? '',
    written: inputs.written,
    fill: inputs.fill,
    async compose(name) {
      const field = fields.find((each) => each.name === name);
      if (field === undefined) return;
      inputs.focusOn(name);
      app.open(form);
      await app.attempt(() => compose(field));
    },
    subscribe: store.subscribe,
    chain() {
      const { kind, offer } = inputs.focused();
      if (kind !== 'lines') return 'form';
      return offer === undefined ? 'editor' : 'reply';
    },
    rows: (cells) =>
      Math.max(fields.length === 1 ? 4 : 0, formLines(fields, store.get(), cells).lines.length),
    write(text) {
      const field = inputs.focused();
      if (text === '/' && field.offer !== undefined && isWordStart(inputs.inputAt(field)))
        offerTexts(field, '/');
      else if (field.kind !== 'choice') inputs.insert(field, text);
      else if (text === ' ') inputs.turn(field, 1);
      else inputs.choose(field, text);
    },
    perform(action) {
      const field = inputs.focused();
      if (action === 'everywhere.back') {
        app.close(form);
        return inputs.forgetSecrets();
      }
      if (action === 'form.next' || action === 'editor.next') return inputs.moveFocus(1);
      if (action === 'form.previous' || action === 'editor.previous') return inputs.moveFocus(-1);
      if (action === 'form.enter' && store.get().focus < fields.length - 1) return inputs.moveFocus(1);
      if (action === 'form.enter' || action === 'form.submit' || action === 'editor.submit')
        return void submitForm();
      if (action === 'reply.saved') return offerTexts(field, '');
      if (action === 'compose.external') return void app.attempt(() => compose(field));
      if (action === 'editor.newline') return inputs.insert(field, '\n');
      const [scope, what] = action.split('.') as [string, Edit];
      if (scope !== 'text' && scope !== 'editor') return;
      if (field.kind === 'choice') return inputs.turn(field, what === 'left' ? -1 : 1);
      inputs.put(field, edit(inputs.inputAt(field), what, width - indent - 1));
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
