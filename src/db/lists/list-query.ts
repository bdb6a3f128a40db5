import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import type { ListOrder } from './list-order.ts';
import type { Search } from './search.ts';
import type { VersionedTable } from './table-versions.ts';

/** A list as SQL. Its rows are JSON objects of the columns. */
export interface ListQuery {
  readonly columns: FragmentSqlToken;
  /** `from …` with its joins. */
  readonly source: FragmentSqlToken;
  /** The tables that rows, conditions and totals are read from: a change of one of them may change the list. */
  readonly tables: readonly VersionedTable[];
  /** The conditions of the filters that are set; false stands for one that is not. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  /** What is searched for. Its condition is one of the conditions. */
  readonly search?: Search | undefined;
  readonly order: ListOrder;
  readonly id: FragmentSqlToken;
  /** The size of a row's longest text in bytes, computed without reading the text, as octet_length does. */
  readonly maxTextBytes: FragmentSqlToken;
  /** Counts the rows that match: one row with `total`, and perhaps with more counts. The default counts the source. */
  readonly totals?: QuerySqlToken | undefined;
}

/** Returns the condition that the column has one of the values. */
export function isOneOf(column: FragmentSqlToken, values: readonly string[]): FragmentSqlToken {
  return sql.fragment`${column} = any(${sql.array([...values], 'text')})`;
}

/**
 * Returns a row as JSON text. Making the objects costs Postgres more than it saves this process, but this process has
 * only one thread for all requests.
 */
export function rowAsJson({ columns }: Pick<ListQuery, 'columns'>): FragmentSqlToken {
  return sql.fragment`(select row_to_json(list_row)::text from (select ${columns}) as list_row)`;
}

/** Returns what follows the columns: source, conditions and order. */
export function filteredAndOrdered({ source, conditions, order, id }: ListQuery): FragmentSqlToken {
  const { column, cast, direction, cursor } = order;
  const isAfter = direction === 'desc' ? sql.fragment`<` : sql.fragment`>`;
  const toEnd = direction === 'desc' ? sql.fragment`desc` : sql.fragment`asc`;
  const rest = cursor && sql.fragment`(${column}, ${id}) ${isAfter} (${cursor[0]}::${cast}, ${cursor[1]})`;
  return sql.fragment`
    ${source} where ${sql.and([...conditions, rest ?? false])} order by ${column} ${toEnd}, ${id} ${toEnd}
  `;
}
