import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import type { Position } from '../../contract/schemas/cursors.ts';
import { defaultSort, type SortKind, type SortOf, type Sorts, sortField } from '../../contract/vocabulary.ts';
import { isoTimestamp } from '../timestamps.ts';
import type { ListFilter, TimeBounds } from './list-filters.ts';
import type { Search } from './search.ts';
import type { VersionedTable } from './table-versions.ts';

/** A list as SQL. Its rows are JSON objects of the columns. */
export interface ListQuery {
  readonly columns: ListColumns;
  /** The JSON text of a row if the database keeps it, which is a short row; null for one whose text is not kept. */
  readonly keptText?: FragmentSqlToken | undefined;
  /** `from …` with its joins. */
  readonly source: FragmentSqlToken;
  /** The tables that rows, conditions and totals are read from: a change of one of them may change the list. */
  readonly tables: readonly VersionedTable[];
  /** The filters by equality that are set. */
  readonly filters?: readonly ListFilter[];
  readonly times?: TimeBounds | undefined;
  readonly search?: Search | undefined;
  /** The conditions of other filters; false stands for one that is not set. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  readonly order: ListOrder;
  readonly id: FragmentSqlToken;
  /** The size of a row's longest text in bytes, computed without reading the text, as octet_length does. */
  readonly maxTextBytes: FragmentSqlToken;
  /** Counts the rows that match: one row with `total`, and perhaps with more counts. The default counts the source. */
  readonly totals?: QuerySqlToken | undefined;
}

type Selection = Pick<ListQuery, 'filters' | 'times' | 'search' | 'conditions'>;

/** Returns the conditions of a row. */
export function conditionsOf({ filters = [], times, search, conditions }: Selection): FragmentSqlToken[] {
  const set = conditions.filter((condition) => condition !== false);
  const found = search === undefined ? [] : [search.condition];
  const bounds = times?.conditions ?? [];
  return [...filters.map(({ condition }) => condition), ...set, ...found, ...bounds];
}

/**
 * Returns the conditions for a statement that reads all rows that a search finds. Only the search is served by an index: before
 * version 17, and without statistics of new rows, Postgres may read the whole index of a filter once for each match.
 */
export function readByMatches(selection: Selection): readonly FragmentSqlToken[] {
  const { search } = selection;
  const others = conditionsOf({ ...selection, search: undefined });
  if (search?.probe === undefined || others.length === 0) return conditionsOf(selection);
  // No index serves a condition after which `is true` stands.
  return [search.condition, sql.fragment`(${sql.and(others)}) is true`];
}

/**
 * A column of a list: a text, a number or a boolean as it is, a time that is shown as ISO 8601, or a JSON value. Postgres
 * formats them for long lists, and this process for all others (`docs/decisions/0052-how-lists-are-read.md`).
 */
export type ListColumn =
  | FragmentSqlToken
  | { readonly time: FragmentSqlToken }
  | { readonly json: FragmentSqlToken };

/** The columns by their names, in the order in which they are shown. */
export type ListColumns = Readonly<Record<string, ListColumn>>;

/** Returns columns that are shown as they are, under their own names. */
export function plainColumns<Name extends string>(
  names: readonly Name[],
  table?: string,
): Record<Name, FragmentSqlToken> {
  const prefix = table === undefined ? [] : [table];
  const entries = names.map((name) => [name, sql.fragment`${sql.identifier([...prefix, name])}`]);
  return Object.fromEntries(entries);
}

/** Returns the columns as a select shows them, with their names. */
export function shownColumns(columns: ListColumns): FragmentSqlToken {
  const shown = Object.entries(columns).map(
    ([name, column]) => sql.fragment`${shownValue(column)} as ${sql.identifier([name])}`,
  );
  return sql.fragment`${sql.join(shown, sql.fragment`, `)}`;
}

/** Returns a row as JSON text that Postgres makes. `select-page.ts` makes the same text of the row's values. */
export function rowAsJson(columns: ListColumns): FragmentSqlToken {
  return sql.fragment`(
    select row_to_json(list_row)::text from (select ${shownColumns(columns)}) as list_row
  )`;
}

function shownValue(column: ListColumn): FragmentSqlToken {
  if ('time' in column) return isoTimestamp(column.time);
  return 'json' in column ? column.json : column;
}

/** The order of a list, and where to begin in it. Rows with equal values are ordered by id, in the same direction. */
type ListOrder = ReturnType<typeof orderBy>;

/** What a list's filter says about its order. The default is the first of its sorts, highest first. */
export interface Ordering<List extends Sorts, Id extends string | number> {
  readonly sort?: SortOf<List> | undefined;
  /** Matches the rows after this position in the list. */
  readonly cursor?: Position<Id> | undefined;
}

const casts: Readonly<Record<SortKind, FragmentSqlToken>> = {
  time: sql.fragment`timestamptz`,
  text: sql.fragment`text`,
  rank: sql.fragment`integer`,
};

/** Returns the order of a list that can be sorted by these columns. */
export function orderBy<List extends Sorts>(
  sorts: List,
  columns: Readonly<Record<keyof List, FragmentSqlToken>>,
  { sort = defaultSort(sorts), cursor }: Ordering<List, string | number>,
) {
  const field = sortField(sort);
  const kind = sorts[field] as SortKind;
  return {
    sort: String(sort),
    column: columns[field] as FragmentSqlToken,
    cast: casts[kind],
    direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
    kind,
    /** Only the rows after this position. */
    cursor,
    /** Positions of the default sort don't name it. */
    isDefault: sort === defaultSort(sorts),
  };
}

/** The direction of an order, and the comparisons with what comes before and after. */
export function directionOf({ direction }: ListOrder) {
  return direction === 'desc'
    ? { toEnd: sql.fragment`desc`, before: sql.fragment`>`, after: sql.fragment`<` }
    : { toEnd: sql.fragment`asc`, before: sql.fragment`<`, after: sql.fragment`>` };
}

/** Returns the condition that a row is after the position at which the list begins; false without a position. */
export function isAfterCursor(order: ListOrder, id: FragmentSqlToken): FragmentSqlToken | false {
  const { column, cast, cursor } = order;
  if (cursor === undefined) return false;
  return sql.fragment`(${column}, ${id}) ${directionOf(order).after} (${cursor[0]}::${cast}, ${cursor[1]})`;
}
