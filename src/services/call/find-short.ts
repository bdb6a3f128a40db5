import type { Database } from '../../db/connection/database.ts';
import { runSearch } from '../../db/lists/find-matches.ts';
import type { Limited } from '../load/classes.ts';

interface ShortListCall {
  readonly db: Database;
  readonly limited: Limited;
}

/** Runs the query of a short list. With something to search for, it waits for its turn and has the limits of a search. */
export async function findShort<T>(
  { db, limited }: ShortListCall,
  q: string | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (q === undefined) return await work(db);
  return await limited('searches', (found) => runSearch(found, { q }, work));
}
