import { type FragmentSqlToken, sql } from 'slonik';

/**
 * A filter by equality. For each sort of its list there is an index with its column first, then the column of the sort,
 * then the id.
 */
export interface ListFilter {
  /** The column as its indexes have it. */
  readonly column: FragmentSqlToken;
  readonly type: 'text' | 'int8';
  /** Each value once. Null matches rows without a value. */
  readonly values: readonly (string | number)[] | null;
  readonly condition: FragmentSqlToken;
  /** A column that the list can be sorted by and that the indexes of this filter lack. */
  readonly unsortedBy?: FragmentSqlToken;
  /** What the index cannot tell of a row. Absent if the index has the whole value. */
  readonly recheck?: FragmentSqlToken;
}

/** The times that bound a list. */
export type TimeBounds = ReturnType<typeof between>;

/** Returns the filter by a column, or none if the values are undefined. */
export function equals(
  column: FragmentSqlToken,
  given: string | number | readonly (string | number)[] | null | undefined,
  type: ListFilter['type'] = 'text',
): readonly ListFilter[] {
  if (given === undefined) return [];
  if (given === null) return [{ column, type, values: null, condition: sql.fragment`${column} is null` }];
  const values = [...new Set(typeof given === 'object' ? given : [given])];
  return [{ column, type, values, condition: isOneOf(column, values, type) }];
}

/** Longer than what people filter by, and short enough for an index row. The indexes are made with this number. */
const indexedCharacters = 100;

/** Returns the filter by a column of texts of any length. Its indexes have the beginning of each text. */
export function equalsText(
  column: FragmentSqlToken,
  given: string | readonly string[] | undefined,
): readonly ListFilter[] {
  if (given === undefined) return [];
  const texts = [given].flat();
  const starts = texts.map((text) => [...text].slice(0, indexedCharacters).join(''));
  const filters = equals(sql.fragment`left(${column}, 100)`, starts);
  // A shorter beginning is the whole text.
  if (starts.every((start) => [...start].length < indexedCharacters)) return filters;
  const recheck = isOneOf(column, texts, 'text');
  return filters.map((filter) => ({
    ...filter,
    recheck,
    condition: sql.fragment`(${filter.condition} and ${recheck})`,
  }));
}

/** Returns the bounds of a column of times, in which `until` is the first time after them. */
export function between(
  column: FragmentSqlToken,
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
) {
  const isSince = since === undefined ? undefined : sql.fragment`${column} >= ${since}::timestamptz`;
  const isUntil = until === undefined ? undefined : sql.fragment`${column} < ${until}::timestamptz`;
  const conditions = [isSince, isUntil].filter((condition) => condition !== undefined);
  return { column, since, until, isSince, isUntil, conditions };
}

/** Returns the condition that a column has one of the values. One value has the statement, and so the plan, of an equality. */
export function isOneOf(
  column: FragmentSqlToken,
  values: readonly (string | number)[],
  type: ListFilter['type'],
): FragmentSqlToken {
  const [value] = values;
  return values.length === 1 && value !== undefined
    ? sql.fragment`${column} = ${value}::${sql.identifier([type])}`
    : sql.fragment`${column} = any(${sql.array([...values], type)})`;
}
