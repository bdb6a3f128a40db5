import { type FragmentSqlToken, sql } from 'slonik';
import type { Position } from '../../contract/schemas/cursors.ts';
import { defaultSort, type SortKind, type SortOf, type Sorts, sortField } from '../../contract/sorts.ts';

/** The order of a list, and where to begin in it. Rows with equal values are ordered by id, in the same direction. */
export interface ListOrder {
  /** The sort as the contract names it. */
  readonly sort: string;
  readonly column: FragmentSqlToken;
  /** The type of the column. */
  readonly cast: FragmentSqlToken;
  readonly direction: 'asc' | 'desc';
  readonly kind: SortKind;
  /** Only the rows after this position. */
  readonly cursor: Position | undefined;
  /** Positions of the default sort don't name it. */
  readonly isDefault: boolean;
}

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
): ListOrder {
  const field = sortField(sort);
  const column = columns[field] as FragmentSqlToken;
  const kind = sorts[field] as SortKind;
  return {
    sort,
    column,
    cast: casts[kind],
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    kind,
    cursor,
    isDefault: sort === defaultSort(sorts),
  };
}

/** The direction of an order, and the comparisons with what comes before and after. */
export function directionOf({ direction }: ListOrder) {
  const [toEnd, before, after] =
    direction === 'desc'
      ? [sql.fragment`desc`, sql.fragment`>`, sql.fragment`<`]
      : [sql.fragment`asc`, sql.fragment`<`, sql.fragment`>`];
  return { toEnd, before, after };
}

/** Returns the condition that a row is after the position at which the list begins; false without a position. */
export function isAfterCursor(order: ListOrder, id: FragmentSqlToken): FragmentSqlToken | false {
  const { column, cast, cursor } = order;
  if (cursor === undefined) return false;
  return sql.fragment`(${column}, ${id}) ${directionOf(order).after} (${cursor[0]}::${cast}, ${cursor[1]})`;
}
