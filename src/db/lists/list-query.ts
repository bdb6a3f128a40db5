import { type FragmentSqlToken, sql } from 'slonik';

/** A timestamp column as ISO 8601 UTC with milliseconds. Postgres formats it at half the cost of a `Date`. */
export function isoTimestamp(column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A list as SQL: its rows are JSON objects of the columns, the newest first. */
export interface ListQuery {
  readonly columns: FragmentSqlToken;
  /** `from …`, with its joins. */
  readonly source: FragmentSqlToken;
  /** False is none. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  /** What the list is ordered by, before the id. */
  readonly time: FragmentSqlToken;
  readonly id: FragmentSqlToken;
  /** The bytes of the longest text in a row, by what tells them without reading it, as octet_length does. */
  readonly maxTextBytes: FragmentSqlToken;
}

/** That one of the columns contains a text, in capitals or not; the signs of LIKE stand for themselves. */
export function contains(columns: readonly FragmentSqlToken[], text: string): FragmentSqlToken {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql.fragment`(${sql.or(columns.map((column) => sql.fragment`${column} ilike ${pattern}`))})`;
}
