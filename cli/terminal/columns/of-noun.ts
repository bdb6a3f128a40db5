import type { Field, Noun } from '../../../src/contract/fields/field.ts';
import { grouped } from '../number.ts';
import { age, ago } from '../time.ts';
import { severityTone, statusTone } from '../tones.ts';
import type { Column } from './column.ts';

/** A column: a field, a field and when its column is dropped from a narrow table, or a column that is no field. */
export type ColumnOf<Row> =
  | (keyof Row & string)
  | readonly [field: keyof Row & string, dropAs: number]
  | Column<Row>;

type AnyRow = Readonly<Record<string, unknown>>;

/** The kinds of fields that rows have only on demand, and how people call them. */
const onDemand: Readonly<Record<string, string>> = { admin: 'assignee', labels: 'labels' };

/** Returns the names of the fields that rows of a noun have only on demand. */
export const includable = ({ fields }: Noun): readonly string[] =>
  Object.values(fields).flatMap(({ kind }) => onDemand[kind] ?? []);

/** Returns the columns of a table. */
export function columnsOf<Row>(
  noun: Noun,
  columns: readonly (string | readonly [string, number] | Column<Row>)[],
): readonly Column<Row>[] {
  return columns.map((column) => {
    if (typeof column === 'string') return fieldColumn(noun, column);
    if ('heading' in column) return column;
    const [name, dropAs] = column;
    return { ...fieldColumn(noun, name), dropAs };
  });
}

function fieldColumn<Row>(noun: Noun, name: string): Column<Row> {
  return columnOf(name, noun.fields[name]) as Column<Row>;
}

/** The widths of the dashboard, by the kind of the field. Absent: what the others leave. */
const cells: Readonly<Partial<Record<Field['kind'], number>>> = {
  id: 7,
  textId: 28,
  word: 11,
  words: 18,
  labels: 18,
  flag: 8,
  count: 8,
  time: 9,
};

function columnOf(name: string, field: Field | undefined): Column<AnyRow> {
  if (name === 'assignee')
    return { heading: name, value: ({ assignee }) => emailOf(assignee), cut: true, width: 16 };
  const { kind, label, words } = field ?? { kind: 'text', label: name };
  const heading = label.toLowerCase();
  const textOf = (row: AnyRow) => String(row[name] ?? '');
  const width = cells[kind];
  const column = {
    ...{ heading, value: textOf, ...(heading === name ? {} : { field: name }) },
    ...(width === undefined ? {} : { width }),
  };
  switch (kind) {
    case 'id':
      return { ...column, align: 'right' };
    case 'count':
      return { ...column, align: 'right', value: (row) => grouped(Number(row[name])), exact: textOf };
    case 'time': {
      const ifAny = (format: (time: string) => string) => (row: AnyRow) =>
        row[name] ? format(textOf(row)) : '';
      return { ...column, value: ifAny(ago), exact: textOf, short: ifAny(age) };
    }
    case 'flag':
      return { ...column, value: (row) => (row[name] === 1 ? 'yes' : 'no') };
    case 'labels':
      return { ...column, value: (row) => ((row[name] as string[] | undefined) ?? []).join(', '), cut: true };
    case 'word':
      return { ...column, ...(words === undefined ? { cut: true } : {}), ...toneOf(name, textOf) };
    case 'text':
    case 'line':
    case 'url':
      return { ...column, cut: true };
    default:
      return column;
  }
}

const emailOf = (assignee: unknown) => (assignee as { email: string } | null | undefined)?.email ?? '';

/** Statuses and severities have colours. */
function toneOf(name: string, textOf: (row: AnyRow) => string): Partial<Column<AnyRow>> {
  const tone = { severity: severityTone, status: statusTone }[name];
  return tone === undefined ? {} : { tone: (row) => tone(textOf(row)) };
}

type Options<Row> = Omit<Column<Row>, 'heading' | 'value' | 'exact' | 'field'>;

/** Creates a column of times: relative to now for people, exact in a pipe. */
export function timeColumn<Name extends string, Row extends { readonly [Field in Name]: string | null }>(
  heading: string,
  field: Name,
  { none = '', ...options }: Options<Row> & { readonly none?: string } = {},
): Column<Row> {
  const value = (row: Row) => (row[field] === null ? none : ago(row[field]));
  return {
    ...{ heading, field, value, exact: (row) => row[field] ?? '', width: 9 },
    ...{ short: (row) => (row[field] === null ? none : age(row[field])), ...options },
  };
}

/**
 * Returns a column for each field of a noun that a list can show: all but long texts and secrets. A field that is not named
 * comes last and is dropped first from a narrow table, so that a new one shows without being named anywhere.
 *
 * @param drops - when columns are dropped, in their order; 0: never
 */
export function listColumns<Row>(
  noun: Noun,
  drops: Readonly<Record<string, number>>,
  own: Readonly<Record<string, Partial<Column<Row>>>> = {},
): readonly Column<Row>[] {
  const shown = Object.entries(noun.fields).filter(
    ([, { kind, isTrimmed }]) => kind !== 'secret' && (kind !== 'text' || isTrimmed === true),
  );
  const names = shown.map(([field, { kind }]) => (onDemand[kind] === 'assignee' ? 'assignee' : field));
  const isNumber = noun.fields.id?.kind === 'id';
  const first = [...(isNumber ? ['id'] : []), ...Object.keys(drops)];
  return [...new Set([...first, ...names])].map((name) => {
    const dropAs = drops[name] ?? (name === 'id' && isNumber ? 0 : 9);
    return { ...fieldColumn<Row>(noun, name), ...(dropAs === 0 ? {} : { dropAs }), ...own[name] };
  });
}
