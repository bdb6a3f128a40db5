import { type FragmentSqlToken, sql } from 'slonik';
import type { ListFilter } from './list-filters.ts';
import { directionOf, isAfterCursor } from './list-order.ts';
import type { ListQuery } from './list-query.ts';

/**
 * Returns the filter by whose index a list is read: the only one that is set, if there is no other condition than the
 * times that the list is ordered by. The index has those too.
 */
export function scannedFilter(query: ListQuery): ListFilter | undefined {
  const conditions = query.conditions.filter((condition) => condition !== false);
  const [filter, ...others] = (query.filters ?? []).filter(({ condition }) => conditions.includes(condition));
  const { times, order } = query;
  if (filter === undefined || others.length > 0 || filter.unsortedBy?.sql === order.column.sql)
    return undefined;
  const ofIndex = times?.column.sql === order.column.sql ? times.conditions : [];
  return conditions.length === 1 + ofIndex.length ? filter : undefined;
}

/**
 * Returns the condition that a row is before the end of the times that the list is ordered by, if they have one. A scan
 * does not know it: Postgres would read on to the last row with the value.
 */
export function endOf({ order, times }: ListQuery): FragmentSqlToken | undefined {
  if (times?.column.sql !== order.column.sql) return undefined;
  return order.direction === 'desc' ? times.isSince : times.isUntil;
}

/**
 * Returns the rows with one value of a filter, in the order of the list and whatever the end of its times: source,
 * conditions and order. The value is compared by `<=` and `>=` and is the first in the order, because the planner ignores
 * an order by what is equal.
 *
 * @param value - null selects the rows without a value
 */
export function scanOf(
  query: ListQuery,
  filter: ListFilter,
  value: FragmentSqlToken | null,
): FragmentSqlToken {
  const { source, order, id } = query;
  const { toEnd } = directionOf(order);
  const conditions = value === null ? boundsOfNull(query, filter) : boundsOfValue(query, filter, value);
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
  const end = sql.fragment`${column} ${before}= ${value}`;
  if (cursor !== undefined) {
    const position = sql.fragment`(${value}, ${cursor[0]}::${cast}, ${cursor[1]})`;
    // The position is after the beginning of the times, unless a client has changed them.
    return [
      sql.fragment`(${column}, ${order.column}, ${id}) ${after} ${position}`,
      end,
      beginOf(query) ?? false,
    ];
  }
  if (beginOf(query) === undefined) return [sql.fragment`${column} ${after}= ${value}`, end];
  const first =
    order.direction === 'desc'
      ? sql.fragment`< (${value}, ${times?.until ?? null}::${cast})`
      : sql.fragment`>= (${value}, ${times?.since ?? null}::${cast})`;
  return [sql.fragment`(${column}, ${order.column}) ${first}`, end];
}

const boundsOfNull = (query: ListQuery, { condition }: ListFilter): (FragmentSqlToken | false)[] => [
  condition,
  isAfterCursor(query.order, query.id),
  beginOf(query) ?? false,
];

/** Returns the condition that a row is after the beginning of the times that the list is ordered by. */
function beginOf({ order, times }: ListQuery): FragmentSqlToken | undefined {
  if (times?.column.sql !== order.column.sql) return undefined;
  return order.direction === 'desc' ? times.isUntil : times.isSince;
}
