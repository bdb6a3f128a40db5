import type { ListQuery } from './list-query.ts';

/** Most requests for lists have one of a few filters. */
const maxQueries = 100;
const maxKeyCharacters = 500;

/**
 * Returns a function that makes the query of a list from its filter, and returns the same object for the same filter, so
 * that what is made of a query is made once.
 */
export function rememberQueries<Filter>(
  makeQuery: (filter: Filter) => ListQuery,
): (filter: Filter) => ListQuery {
  const queries = new Map<string, ListQuery>();
  return (filter) => {
    const key = JSON.stringify(filter);
    const known = queries.get(key);
    if (known !== undefined) return known;
    const query = makeQuery(filter);
    if (key.length > maxKeyCharacters) return query;
    if (queries.size === maxQueries) queries.clear();
    queries.set(key, query);
    return query;
  };
}
