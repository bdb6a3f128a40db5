import { cellsOf, cut, fit, graphemesOf, wrap } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { showLine, showLines, showNote } from '../components/text-field.ts';
import type { Chain } from '../keys/actions.ts';
import type { Dialog, Size } from '../screen-types.ts';
import { createStore, useStore } from '../store.ts';
import { type Draft, draftOf, type Edit, edit, emptyDraft, insert, visible } from '../text/edit.ts';
import { theme } from '../theme.ts';

export interface Field {
  readonly name: string;
  /** Nothing for the only field of a form. */
  readonly label: string;
  readonly kind: 'text' | 'secret' | 'choice' | 'lines';
  readonly options?: readonly string[];
  readonly initial?: string;
  /** Shown while it is empty. */
  readonly note?: string;
}

export type Values = Readonly<Record<string, string>>;

/** What is to be done when the form has closed, such as to look at what it has made. */
export type FollowUp = () => Promise<void> | void;

export interface FormOptions {
  readonly title: () => string;
  readonly fields: readonly Field[];
  /** What sending is called in the hint of its key; by default, `save`. */
  readonly verb?: string;
  /** Takes what was written; the form closes when it is done, and stays with the error's sentence when it fails. */
  readonly send: (values: Values) => Promise<FollowUp | undefined>;
}

/** A form, which keeps what was written in it until that is sent: Esc loses nothing. */
export interface Form extends Dialog {
  /** Whether something is written that was not sent. Secrets do not count, they are not kept. */
  hasContent(): boolean;
  fill(values: Values): void;
}

interface FormState {
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly focus: number;
  readonly error: string;
  readonly sending: boolean;
}

const mostLines = 8;

export function createForm(app: App, { title, fields, verb = 'save', send }: FormOptions): Form {
  const initial = Object.fromEntries(
    fields.map((field) => [field.name, begin(field, field.initial ?? '')] as const),
  );
  const store = createStore<FormState>({ drafts: initial, focus: 0, error: '', sending: false });
  const labelCells = Math.max(...fields.map(({ label }) => cellsOf(label)));
  const indent = labelCells === 0 ? 2 : labelCells + 6;
  let width = 80;

  const focused = () => fields[store.get().focus] as Field;
  const draftAt = ({ name }: Field) => store.get().drafts[name] ?? draftOf('');
  const put = (field: Field, draft: Draft) =>
    store.set({ drafts: { ...store.get().drafts, [field.name]: draft }, error: '' });
  const turn = (field: Field, by: number) => {
    const options = field.options ?? [];
    const index = options.indexOf(draftAt(field).text) + by + options.length;
    put(field, draftOf(options[index % options.length] ?? ''));
  };
  const focus = (by: number) =>
    store.set({ focus: (store.get().focus + by + fields.length) % fields.length });
  const close = () => {
    app.close(form);
    const secrets = fields.filter(({ kind }) => kind === 'secret').map(({ name }) => [name, draftOf('')]);
    store.set({ drafts: { ...store.get().drafts, ...Object.fromEntries(secrets) }, error: '' });
  };
  const submit = async () => {
    if (store.get().sending) return;
    const values = Object.fromEntries(fields.map((field) => [field.name, draftAt(field).text]));
    store.set({ sending: true, error: '' });
    try {
      const followUp = await send(values);
      store.set({ drafts: initial, focus: 0 });
      app.close(form);
      if (followUp !== undefined) void app.attempt(async () => followUp());
    } catch (error) {
      store.set({ error: app.explain(error) });
    } finally {
      store.set({ sending: false });
    }
  };

  const render = (state: FormState, cells: number): { lines: string[]; cursorLine: number } => {
    const lines: string[] = [];
    let cursorLine = 0;
    for (const [at, field] of fields.entries()) {
      const isFocused = at === state.focus;
      const name = field.label === '' ? '  ' : `  ${isFocused ? '❯' : ' '} ${fit(field.label, labelCells)}  `;
      const shown = showField(field, state.drafts[field.name] ?? draftOf(''), isFocused, cells - indent - 1);
      if (isFocused) cursorLine = lines.length + shown.cursorLine;
      lines.push(
        ...shown.lines.map((line, index) => {
          const margin = index === 0 ? name : ' '.repeat(indent);
          return (isFocused ? theme.strong(margin) : theme.quiet(margin)) + line;
        }),
      );
    }
    const told =
      state.error === '' ? [] : wrap(`✗ ${state.error}`, cells - 4).map((line) => `  ${theme.bad(line)}`);
    if (state.sending) told.push(theme.quiet('  Sending…'));
    return {
      lines: [...lines, ...told],
      cursorLine: state.error === '' ? cursorLine : lines.length + told.length - 1,
    };
  };

  const form: Form = {
    title,
    verb,
    hasContent: () =>
      fields.some((field) => field.kind !== 'secret' && draftAt(field).text !== initial[field.name]?.text),
    fill(values) {
      const given = fields.flatMap((field) => {
        const text = values[field.name];
        return text === undefined ? [] : [[field.name, begin(field, text)] as const];
      });
      store.set({ drafts: { ...store.get().drafts, ...Object.fromEntries(given) } });
    },
    subscribe: store.subscribe,
    chain: (): Chain => (focused().kind === 'lines' ? 'editor' : 'form'),
    rows: (cells) => Math.max(fields.length === 1 ? 4 : 0, render(store.get(), cells).lines.length),
    write(text) {
      const field = focused();
      if (field.kind !== 'choice') {
        return put(field, insert(draftAt(field), text, field.kind === 'lines' ? 'lines' : 'one line'));
      }
      if (text === ' ') return turn(field, 1);
      const option = field.options?.find((each) => each.toLowerCase().startsWith(text.toLowerCase()));
      if (option !== undefined) put(field, draftOf(option));
    },
    perform(action) {
      const field = focused();
      if (action === 'everywhere.back') return close();
      if (action === 'form.next' || action === 'editor.next') return focus(1);
      if (action === 'form.previous' || action === 'editor.previous') return focus(-1);
      if (action === 'form.enter' && store.get().focus < fields.length - 1) return focus(1);
      if (action === 'form.enter' || action === 'form.submit' || action === 'editor.submit')
        return void submit();
      if (action === 'editor.newline') return put(field, insert(draftAt(field), '\n', 'lines'));
      const [scope, what] = action.split('.') as [string, Edit];
      if (scope !== 'text' && scope !== 'editor') return;
      if (field.kind === 'choice') return turn(field, what === 'left' ? -1 : 1);
      put(field, edit(draftAt(field), what, width - indent - 1));
    },
    View: ({ width: cells, height }: Size) => {
      const state = useStore(store);
      width = cells;
      const { lines, cursorLine } = render(state, cells);
      const top = Math.max(0, Math.min(cursorLine - height + 1, lines.length - height));
      return <Lines lines={lines.slice(top)} height={height} />;
    },
  };
  return form;
}

/** A text to go on with in a field, which may have but one line. */
function begin({ kind }: Field, text: string): Draft {
  return kind === 'text' ? insert(emptyDraft, text, 'one line') : draftOf(text);
}

function showField(
  { kind, note = '', options = [] }: Field,
  draft: Draft,
  isFocused: boolean,
  cells: number,
): { lines: string[]; cursorLine: number } {
  if (kind === 'choice') {
    const shown = options.map((option) =>
      option === draft.text ? theme.selected(` ${option} `) : ` ${option} `,
    );
    // Inverse alone does not show in a text that was copied.
    const line = shown
      .map((option, at) => (options[at] === draft.text ? `❯${option}` : ` ${option}`))
      .join('');
    return { lines: [line], cursorLine: 0 };
  }
  if (draft.text === '' && note !== '') {
    return { lines: [isFocused ? showNote(note, cells) : theme.quiet(cut(note, cells))], cursorLine: 0 };
  }
  const text = kind === 'secret' ? masked(draft) : draft;
  if (kind !== 'lines')
    return { lines: [isFocused ? showLine(text, cells) : fit(visible(text.text), cells)], cursorLine: 0 };
  const { lines, cursorLine } = showLines(draft, cells, isFocused);
  const top = Math.max(0, Math.min(cursorLine - mostLines + 1, lines.length - mostLines));
  return { lines: lines.slice(top, top + mostLines), cursorLine: cursorLine - top };
}

function masked({ text, cursor }: Draft): Draft {
  const dots = (part: string) => '•'.repeat(graphemesOf(part).length);
  return { text: dots(text), cursor: dots(text.slice(0, cursor)).length };
}
