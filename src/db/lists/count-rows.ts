import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { unprepared } from '../connection/prepared-statements.ts';
import type { ListQuery } from './list-query.ts';
import { readByMatches, runSearch } from './search.ts';

const totals = z.record(z.string(), z.int());

/** How many rows of a list match its filters, and perhaps more counts. */
export type Totals = Readonly<Record<string, number>>;

/** Counts the rows of a list, on all pages together. */
export async function countRows(
  db: Database,
  { totals: query, source, conditions, search }: ListQuery,
): Promise<Totals> {
  const isCounted = sql.and(readByMatches(conditions, search));
  const ofSource = sql.fragment`select count(*) as total ${source} where ${isCounted} ${unprepared}`;
  const count = (on: Database) => on.one(query ?? sql.unsafe`${ofSource}`);
  return totals.parse(search === undefined ? await count(db) : await runSearch(db, search, count));
}
