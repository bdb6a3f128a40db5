import type { Database } from '../../db/connection/pool.ts';
import { runSearch } from '../../db/lists/search.ts';
import { ActorSlots, type SlotCaller, type SlotLimits } from './actor-slots.ts';

/**
 * A search may keep a processor and a connection busy for seconds. Few run at once, so that the connections and most of
 * the processors stay free for everything else. The waits are short: a call has 10 s for its wait and its statements.
 */
const defaultLimits: SlotLimits = {
  maxConcurrent: 3,
  maxPerActor: 2,
  maxQueued: 50,
  queueTimeoutMs: 2_000,
};

/** Returns the slots of searches. */
export function createSearchSlots(limits: Partial<SlotLimits> = {}): ActorSlots {
  return new ActorSlots({ ...defaultLimits, ...limits });
}

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
