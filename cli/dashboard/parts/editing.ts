import { type Field, fieldsWith, type Noun } from '../../../src/contract/fields/field.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { type FormField, openForm, type Values } from '../dialogs/form.ts';
import { isLongText } from '../draw/describe.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';
import type { BulkOperation } from './changing.ts';

/** Returns the fields of a form for those fields of a noun that have a trait. */
export function formFields(noun: Noun, trait: 'create' | 'edit'): readonly FormField[] {
  return fieldsWith(noun, trait)
    .filter(([, { kind }]) => kind !== 'admin' && kind !== 'labels' && kind !== 'flag')
    .map(([name, field]) => formField(name, field));
}

const kinds: Readonly<Partial<Record<Field['kind'], FormField['kind']>>> = {
  text: 'text',
  secret: 'secret',
  word: 'choice',
};

function formField(name: string, field: Field): FormField {
  const { kind, label, words, create } = field;
  const placeholder = typeof create === 'object' ? create.or : '';
  if (kind === 'word' && words === undefined) return { name, label, kind: 'line', placeholder };
  return {
    name,
    label,
    placeholder,
    kind: kind === 'text' && !isLongText(field) ? 'line' : (kinds[kind] ?? 'line'),
    ...(words === undefined ? {} : { words }),
  };
}

/** Returns the values of a row for a form. */
export const valuesOf = (noun: Noun, trait: 'create' | 'edit', row: object): Values =>
  Object.fromEntries(
    formFields(noun, trait).map(({ name }) => [
      name,
      String((row as Readonly<Record<string, unknown>>)[name] ?? ''),
    ]),
  );

export interface EditingAbout<Row> {
  readonly operation: BulkOperation;
  readonly read: (row: Row) => Promise<Values>;
  readonly nameOf: (row: Row) => string;
}

/** Edits a row in a form. `e` opens it, `E` its long text in the editor. */
export function editing<Row extends { readonly id: number | string }>(
  app: App,
  rows: Rows<Row>,
  noun: Noun,
  { operation, read, nameOf }: EditingAbout<Row>,
): Part {
  const save = async (row: Row, set: Values, seen: Values) => {
    if (Object.keys(set).length === 0) return app.say('Nothing was changed.', 'note');
    const expected = Object.fromEntries(Object.keys(set).map((name) => [name, seen[name]]));
    const input = { ids: [row.id], set, expected } as InputOf<BulkOperation>;
    const { change_id } = await app.call(operation, input);
    if (change_id !== null)
      app.undo.push({ what: `changes of ${nameOf(row)}`, one: noun.one, changeIds: [change_id] });
    app.say(`Saved ${nameOf(row)}.`);
    app.refresh();
  };
  const open = (row: Row, inEditor = false) =>
    app.openAfter(
      () => read(row),
      (initial) => {
        const form = openForm(app, {
          name: `changes of ${nameOf(row)}`,
          title: `Edit ${nameOf(row)}`,
          initial,
          fields: formFields(noun, 'edit'),
          reread: () => read(row),
          save: (_values, set, seen) => save(row, set, seen),
        });
        return inEditor ? form.compose() : undefined;
      },
    );
  const on = rowAction(app, rows);
  return {
    actions: [
      on('row.edit', 'e', { title: `Edit the ${noun.one}`, hint: 'edit', calls: operation }, (row) =>
        open(row),
      ),
      on('row.editor', 'E', { title: 'Edit the long text in your editor', calls: operation }, (row) =>
        open(row, true),
      ),
    ],
  };
}
