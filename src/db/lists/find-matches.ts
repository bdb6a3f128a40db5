import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import type { ListQuery } from './list-query.ts';
import { runSearch, type Search, shortenTimeout } from './search.ts';

/** How many rows are probed before the index is asked, and more for longer pages. */
const minProbedRows = 2_000;
const probedRowsPerMatch = 5;

/**
 * Finds the rows of a list that match its search. Postgres does not know how frequent a word is, so this tries:
 *
 * 1. The first rows of the list are probed, in order. A frequent word fills the page within milliseconds; the index would
 *    return most of the table.
 * 2. If they are too few, the word is rare. The index returns all matches, which are sorted.
 *
 * Neither costs more in a larger table.
 *
 * @param select - selects rows of a list, at most `maxRows`
 */
export async function findMatches<Found extends { readonly length: number }>(
  db: Database,
  query: ListQuery & { readonly search: Search },
  maxRows: number,
  select: (tx: Database, query: ListQuery) => Promise<Found>,
): Promise<Found> {
  return await runSearch(db, query.search, async (tx) => {
    const { indexed } = query.search;
    if (indexed !== undefined) {
      const startedAt = performance.now();
      const found = await select(tx, firstRows(query, indexed.probe, maxRows));
      if (found.length >= maxRows) return found;
      await shortenTimeout(tx, performance.now() - startedAt);
    }
    return await select(tx, query);
  });
}

/** Returns the list for reading all matches of a frequent word in order, row by row. */
export function probeEachRow(query: ListQuery): ListQuery {
  const probe = query.search?.indexed?.probe;
  return probe === undefined ? query : { ...query, conditions: [...otherConditions(query), probe] };
}

/** Returns the matches among the first rows of the list. */
function firstRows(query: ListQuery, probe: Search['condition'], maxRows: number): ListQuery {
  const all = { ...query, conditions: otherConditions(query) };
  const count = Math.max(minProbedRows, probedRowsPerMatch * maxRows);
  const isFirst = sql.fragment`
    ${query.id} = any(array(select ${query.id} ${filteredAndOrdered(all, count)}))
  `;
  return { ...query, conditions: [isFirst, probe] };
}

const otherConditions = ({ conditions, search }: ListQuery) =>
  conditions.filter((condition) => condition !== search?.condition);
