import { type FragmentSqlToken, sql } from 'slonik';
import { unprepared } from '../connection/prepared-statements.ts';
import { endOf, scannedFilter, scanOf } from './filter-scans.ts';
import type { ListFilter } from './list-filters.ts';
import { directionOf, isAfterCursor } from './list-order.ts';
import type { ListQuery } from './list-query.ts';
import { longPageRows, pageRows } from './page-rows.ts';

/**
 * Returns what follows the columns of a list: source, conditions, order and limit.
 *
 * The planner would rather read the whole list in order than an index of the filter if it takes the value for a frequent
 * one, and would read most of the table if the rows with that value are at the end of the list. So a list with a single
 * filter is read in a way that only the index of the filter serves. With several filters, the planner decides by their
 * values.
 *
 * @param maxRows - how many rows are read; without it all of them
 */
export function filteredAndOrdered(query: ListQuery, maxRows?: number): FragmentSqlToken {
  const limit = maxRows === undefined ? sql.fragment`` : limitTo(maxRows);
  const plan = isPlannedOnce(query) ? sql.fragment`` : unprepared;
  const filter = scannedFilter(query);
  if (filter !== undefined && endOf(query) === undefined) {
    const [value, ...others] = filter.values ?? [null];
    if (value !== undefined && others.length === 0) {
      const wanted = value === null ? null : sql.fragment`${value}::${sql.identifier([filter.type])}`;
      return sql.fragment`${scanOf(query, filter, wanted)} ${limit} ${plan}`;
    }
  }
  if (filter !== undefined && maxRows !== undefined) return firstOfEachValue(query, filter, maxRows);
  return sql.fragment`
    ${query.source}
    where ${sql.and([...query.conditions, isAfterCursor(query.order, query.id)])}
    ${orderClause(query)} ${limit} ${plan}
  `;
}

/** The rows of usual pages with one more that tells whether others follow, and those that long lists are read by. */
const usualRows: ReadonlySet<number> = new Set([
  ...[10, 20, 25, 50, 100, 200, 500, 1_000].map((rows) => rows + 1),
  ...[pageRows, longPageRows],
]);

/**
 * Limits a list to a number of rows. A usual number is part of the text: with a parameter, Postgres takes the limit for a
 * tenth of the table, and so plans a prepared statement again each time, which takes as long as it runs.
 */
function limitTo(maxRows: number): FragmentSqlToken {
  return usualRows.has(maxRows)
    ? sql.fragment`limit ${sql.literalValue(String(maxRows))}`
    : sql.fragment`limit ${maxRows}`;
}

/** Reads the first rows of each value in order, and of them all those before the end, up to a limit. */
function firstOfEachValue(query: ListQuery, filter: ListFilter, maxRows: number): FragmentSqlToken {
  const { source, id, order } = query;
  const { toEnd } = directionOf(order);
  const values =
    filter.values === null
      ? sql.fragment`(select) as wanted`
      : sql.fragment`unnest(${sql.array([...filter.values], filter.type)}) as wanted (value)`;
  const scan = scanOf(query, filter, filter.values === null ? null : sql.fragment`wanted.value`);
  return sql.fragment`
    ${source}
    where ${id} = any(array(
      select found.id
      from ${values}
      cross join lateral (
        select ${id} as id, ${order.column} as place ${scan} limit ${maxRows}
      ) as found
      order by found.place ${toEnd}, found.id ${toEnd}
      limit ${maxRows}
    )) and ${endOf(query) ?? sql.fragment`true`}
    ${orderClause(query)} limit ${maxRows} ${unprepared}
  `;
}

function orderClause({ order, id }: ListQuery): FragmentSqlToken {
  const { toEnd } = directionOf(order);
  return sql.fragment`order by ${order.column} ${toEnd}, ${id} ${toEnd}`;
}

/** Reports whether one plan suits all values: those of a filter may be rare or frequent. */
function isPlannedOnce({ filters = [], times, order, search }: ListQuery): boolean {
  const isOrdered = times === undefined || times.column.sql === order.column.sql;
  return search === undefined && filters.length === 0 && (isOrdered || times.conditions.length === 0);
}

/** Reports whether an index has the rows of a list in its order: nothing but the times of the order restricts them. */
export function isWhollyOrdered(query: ListQuery): boolean {
  const restrictions = query.conditions.filter((condition) => condition !== false);
  return isPlannedOnce(query) && restrictions.length === (query.times?.conditions.length ?? 0);
}
