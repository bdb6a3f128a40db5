import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import { type ListColumns, shownColumns } from './list-columns.ts';
import type { ListFilter, TimeBounds } from './list-filters.ts';
import type { ListOrder } from './list-order.ts';
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
  /** The conditions of the filters that are set; false stands for one that is not. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  /** The filters by equality that are set. Their conditions are among the conditions. */
  readonly filters?: readonly ListFilter[];
  readonly times?: TimeBounds;
  /** What is searched for. Its condition is one of the conditions. */
  readonly search?: Search | undefined;
  readonly order: ListOrder;
  readonly id: FragmentSqlToken;
  /** The size of a row's longest text in bytes, computed without reading the text, as octet_length does. */
  readonly maxTextBytes: FragmentSqlToken;
  /** Counts the rows that match: one row with `total`, and perhaps with more counts. The default counts the source. */
  readonly totals?: QuerySqlToken | undefined;
}

/**
 * Returns a row as JSON text. Making the objects costs Postgres more than it saves this process, but this process has
 * only one thread for all requests.
 */
export function rowAsJson({ columns, keptText }: Pick<ListQuery, 'columns' | 'keptText'>): FragmentSqlToken {
  return keptOr(
    keptText,
    sql.fragment`(select row_to_json(list_row)::text from (select ${shownColumns(columns)}) as list_row)`,
  );
}

/** Returns the kept text of a row, or another one where there is none. */
export function keptOr(keptText: FragmentSqlToken | undefined, text: FragmentSqlToken): FragmentSqlToken {
  return keptText === undefined ? text : sql.fragment`coalesce(${keptText}, ${text})`;
}
