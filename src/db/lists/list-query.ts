import { type FragmentSqlToken, sql } from 'slonik';

/** A list as SQL. Its rows are JSON objects of the columns, newest first. */
export interface ListQuery {
  readonly columns: FragmentSqlToken;
  /** `from …` with its joins. */
  readonly source: FragmentSqlToken;
  /** The conditions of the filters that are set; false stands for one that is not. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  /** The list is ordered by this time and then by the id. */
  readonly time: FragmentSqlToken;
  readonly id: FragmentSqlToken;
  /** The size of a row's longest text in bytes, computed without reading the text, as octet_length does. */
  readonly maxTextBytes: FragmentSqlToken;
}

/** Returns the condition that one of the columns contains the text, ignoring case. LIKE's wildcards have no effect. */
export function contains(columns: readonly FragmentSqlToken[], text: string): FragmentSqlToken {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql.fragment`(${sql.or(columns.map((column) => sql.fragment`${column} ilike ${pattern}`))})`;
}

/**
 * Returns a row as JSON text. Making the objects costs Postgres more than it saves this process, but this process has
 * only one thread for all requests.
 */
export function rowAsJson({ columns }: ListQuery): FragmentSqlToken {
  return sql.fragment`(select row_to_json(list_row)::text from (select ${columns}) as list_row)`;
}

/** Returns what follows the columns: source, conditions and order. */
export function filteredAndOrdered({ source, conditions, time, id }: ListQuery): FragmentSqlToken {
  return sql.fragment`${source} where ${sql.and(conditions)} order by ${time} desc, ${id} desc`;
}
