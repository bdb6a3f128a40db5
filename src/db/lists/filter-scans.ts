import { type FragmentSqlToken, sql } from 'slonik';
import { unprepared } from '../connection/statements.ts';
import type { ListFilter } from './list-filters.ts';
import { conditionsOf, directionOf, isAfterCursor, type ListQuery } from './list-query.ts';

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
  if (filter !== undefined && boundsOf(query).end === undefined) {
    const [value, ...others] = filter.values ?? [null];
    if (value !== undefined && others.length === 0) {
      const wanted = value === null ? null : sql.fragment`${value}::${sql.identifier([filter.type])}`;
      return sql.fragment`${scanOf(query, filter, wanted)} ${limit} ${plan}`;
    }
  }
  if (filter !== undefined && maxRows !== undefined) return firstOfEachValue(query, filter, maxRows);
  return sql.fragment`
    ${query.source}
    where ${sql.and([...conditionsOf(query), isAfterCursor(query.order, query.id)])}
    ${orderClause(query)} ${limit} ${plan}
  `;
}

/** A whole list with more rows is too long for one query: about 1 MB of issues. */
export const maxShortRows = 1_999;

/** Reports whether an index has the rows of a list in its order: nothing but the times of the order restricts them. */
export function isWhollyOrdered(query: ListQuery): boolean {
  return isPlannedOnce(query) && !query.conditions.some(Boolean);
}

/** Reports whether one plan suits all values: those of a filter may be rare or frequent. */
function isPlannedOnce(query: ListQuery): boolean {
  return query.search === undefined && !query.filters?.length && isTimedInOrder(query);
}

/** Reports whether no times but those that the list is ordered by restrict it. */
function isTimedInOrder({ times, order }: ListQuery): boolean {
  return times?.column.sql === order.column.sql || !times?.conditions.length;
}

/** The rows of usual pages and of whole lists, with one more that tells whether others follow. */
const usualRows: ReadonlySet<number> = new Set(
  [10, 20, 25, 50, 100, 200, 500, 1_000, maxShortRows].map((rows) => rows + 1),
);

/**
 * Limits a list to a number of rows. A usual number is part of the text: with a parameter, Postgres takes the limit for a
 * tenth of the table, and so plans a prepared statement again each time, which takes as long as it runs.
 */
function limitTo(maxRows: number): FragmentSqlToken {
  return usualRows.has(maxRows)
    ? sql.fragment`limit ${sql.literalValue(String(maxRows))}`
    : sql.fragment`limit ${maxRows}`;
}

function orderClause({ order, id }: ListQuery): FragmentSqlToken {
  const { toEnd } = directionOf(order);
  return sql.fragment`order by ${order.column} ${toEnd}, ${id} ${toEnd}`;
}

/**
 * Returns the filter by whose index a list is read: the only one that is set, if there is no other condition than the
 * times that the list is ordered by. The index has those too.
 */
function scannedFilter(query: ListQuery): ListFilter | undefined {
  const { filters = [], search, conditions, order } = query;
  const [filter, ...others] = filters;
  const isAlone = others.length === 0 && search === undefined && !conditions.some(Boolean);
  const isInOrder = isTimedInOrder(query) && filter?.unsortedBy?.sql !== order.column.sql;
  return isAlone && isInOrder ? filter : undefined;
}

/**
 * Returns the conditions that a row is within the times that the list is ordered by, if they have a beginning and an end in
 * its order. A scan does not know the end: Postgres would read on to the last row with the value.
 */
function boundsOf({ order, times }: ListQuery) {
  if (times?.column.sql !== order.column.sql) return { begin: undefined, end: undefined };
  return order.direction === 'desc'
    ? { begin: times.isUntil, end: times.isSince }
    : { begin: times.isSince, end: times.isUntil };
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
    )) and ${boundsOf(query).end ?? sql.fragment`true`}
    ${orderClause(query)} limit ${maxRows} ${unprepared}
  `;
}

/**
 * Returns the rows with one value of a filter, in the order of the list and whatever the end of its times: source,
 * conditions and order. The value is compared by `<=` and `>=` and is the first in the order, because the planner ignores
 * an order by what is equal.
 *
 * @param value - null selects the rows without a value
 */
function scanOf(query: ListQuery, filter: ListFilter, value: FragmentSqlToken | null): FragmentSqlToken {
  const { source, order, id } = query;
  const { toEnd } = directionOf(order);
  const conditions =
    value === null
      ? [filter.condition, isAfterCursor(order, id), boundsOf(query).begin ?? false]
      : boundsOfValue(query, filter, value);
  return sql.fragment`
    ${source} where ${sql.and([...conditions, filter.recheck ?? false])}
    order by ${filter.column} ${toEnd}, ${order.column} ${toEnd}, ${id} ${toEnd}
  `;
}

/** Returns where the rows begin in the index and where the value ends. */
function boundsOfValue(
  query: ListQuery,
  { column }: ListFilter,
  value: FragmentSqlToken,
): (FragmentSqlToken | false)[] {
  const { order, id, times } = query;
  const { cursor, cast } = order;
  const { before, after } = directionOf(order);
  const { begin } = boundsOf(query);
  const end = sql.fragment`${column} ${before}= ${value}`;
  if (cursor !== undefined) {
    const position = sql.fragment`(${value}, ${cursor[0]}::${cast}, ${cursor[1]})`;
    // The position is after the beginning of the times, unless a client has changed them.
    return [sql.fragment`(${column}, ${order.column}, ${id}) ${after} ${position}`, end, begin ?? false];
  }
  if (begin === undefined) return [sql.fragment`${column} ${after}= ${value}`, end];
  const first =
    order.direction === 'desc'
      ? sql.fragment`< (${value}, ${times?.until ?? null}::${cast})`
      : sql.fragment`>= (${value}, ${times?.since ?? null}::${cast})`;
  return [sql.fragment`(${column}, ${order.column}) ${first}`, end];
}
