import type { Field, Noun } from '../../src/contract/fields/field.ts';
import { grouped } from './text.ts';
import { age, ago } from './time.ts';
import { severityTone, statusTone, type Tone } from './tones.ts';

/** One column of a table of rows, on a terminal and in the terminal dashboard. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** The field that it shows, if the heading has another name. */
  readonly field?: string;
  /** Returns what a pipe gets, where `value` is a form for people: the time itself and not `2 hours ago`. */
  readonly exact?: (row: Row) => string;
  /** Returns a shorter form of the value for the dashboard, whose columns are narrow: `2h`. */
  readonly short?: (row: Row) => string;
  /** Returns what the text of a cell means; it is coloured after it is cut to fit. */
  readonly tone?: (row: Row) => Tone | undefined;
  /** Numbers are aligned to the right. */
  readonly align?: 'left' | 'right';
  /** Columns with the highest number are dropped first when the table is too wide. Without it, a column is not dropped. */
  readonly dropAs?: number;
  /**
   * Whether its texts are cut first: those that people write, which may have any length. Texts that are typed again, such
   * as ids, stay whole as long as possible.
   */
  readonly cut?: boolean;
  /**
   * The width in the dashboard, in cells: its tables scroll, so their columns cannot follow the rows that are shown. Without
   * one, the column takes what the others leave.
   */
  readonly width?: number;
}

export const gap = '  ';
/** When no more columns can be dropped, cut columns shrink to this width. */
const minCutCells = 5;

/** The widths that columns would need. */
export type Widths<Row> = ReadonlyMap<Column<Row>, number>;

/** Returns the total width of columns and the gaps between them. */
function sum(widths: Iterable<number>): number {
  return [...widths].reduce((total, each) => total + each + gap.length, -gap.length);
}

/**
 * Returns the columns to show, each with its final width.
 *
 * @param usefulCells - a cut column is useful down to this width: before it gets narrower, other columns are dropped
 */
export function fitColumns<Row>(natural: Widths<Row>, width: number, usefulCells = 12): Widths<Row> {
  const widths = new Map(
    choose(natural, width, usefulCells).map((column) => [column, Math.min(natural.get(column) ?? 0, width)]),
  );
  /** Narrows the widest column first. */
  const narrow = (canNarrow: (column: Column<Row>) => boolean, minCells: number) => {
    let excess = sum(widths.values()) - width;
    while (excess > 0) {
      const [widest, next] = [...widths]
        .filter(([column, cells]) => canNarrow(column) && cells > minCells)
        .sort(([, one], [, other]) => other - one);
      if (widest === undefined) return;
      const by = Math.min(excess, Math.max(1, widest[1] - (next?.[1] ?? minCells)));
      widths.set(widest[0], widest[1] - by);
      excess -= by;
    }
  };
  narrow(({ cut }) => cut === true, usefulCells);
  narrow(({ cut }) => cut === true, minCutCells);
  narrow(() => true, 1);
  return widths;
}

/** Chooses the most important columns, as many as fit. */
function choose<Row>(natural: Widths<Row>, width: number, usefulCells: number): readonly Column<Row>[] {
  const minWidthOf = (column: Column<Row>) =>
    Math.min(natural.get(column) ?? 0, column.cut ? usefulCells : Number.POSITIVE_INFINITY);
  let shown = [...natural.keys()];
  const droppable = shown
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (sum(shown.map(minWidthOf)) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  // Some terminals do not even have room for one character of each.
  while (shown.length > 1 && sum(shown.map(() => 1)) > width) shown.pop();
  return shown;
}

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
    heading,
    value: textOf,
    ...(heading === name ? {} : { field: name }),
    ...(width === undefined ? {} : { width }),
  };
  switch (kind) {
    case 'id':
      return { ...column, align: 'right' };
    case 'count':
      return { ...column, align: 'right', value: (row) => grouped(Number(row[name])), exact: textOf };
    case 'time':
      return timeColumn(heading, name) as Column<AnyRow>;
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
  const ifAny = (format: (time: string) => string) => (row: Row) => (row[field] ? format(row[field]) : none);
  return {
    heading,
    field,
    value: ifAny(ago),
    exact: (row) => row[field] ?? '',
    short: ifAny(age),
    width: 9,
    ...options,
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
