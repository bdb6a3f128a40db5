import type { Database } from '../../db/connection/pool.ts';
import { runSearch } from '../../db/lists/search.ts';
import type { ActorSlots, SlotCaller } from './actor-slots.ts';

interface SearchCall extends SlotCaller {
  readonly db: Database;
  readonly searchSlots: ActorSlots;
}

/** Runs the query of a short list. With something to search for, it needs a slot and has the limits of a search. */
export async function findShort<T>(
  { db, searchSlots, actor, signal }: SearchCall,
  q: string | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (q === undefined) return await work(db);
  return await searchSlots.run({ actor, signal }, () => runSearch(db, { q }, work));
}
