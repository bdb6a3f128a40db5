import { meWithoutAccount } from '../../contract/schemas/assignees.ts';
import type { Database } from '../../db/connection/database.ts';
import { runSearch } from '../../db/lists/find-matches.ts';
import type { Limited } from '../load/classes.ts';
import type { Actor } from './actor.ts';
import { refuse } from './refuse.ts';

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

/**
 * Returns the assignee whose rows a list selects: null for rows that are not assigned, undefined for all rows.
 *
 * @param assignee - `me`, `none` or the id of an admin
 * @throws BackofficeError `invalid` if `me` has no account
 */
export function assigneeIdOf(assignee: string | undefined, { admin }: Actor): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? (admin?.id ?? refuse(meWithoutAccount)) : assignee;
}
