import { ActorSlots, type SlotCaller, type SlotLimits } from '../call/actor-slots.ts';

/** Changes of fewer rows are as quick as those of one. */
const maxRowsAtOnce = 100;

/**
 * Less than half of the connections of a pool. A call has 10 s: one that waited longer could not finish its change, so it
 * gets `busy` before it starts.
 */
const defaultLimits: SlotLimits = { maxConcurrent: 3, maxPerActor: 3, maxQueued: 100, queueTimeoutMs: 7_000 };

/** Returns the slots of bulk changes. */
export function createBulkSlots(limits: Partial<SlotLimits> = {}): ActorSlots {
  return new ActorSlots({ ...defaultLimits, ...limits });
}

/** What selects the rows of a change. */
interface Selection {
  readonly ids?: readonly unknown[] | undefined;
  readonly filter?: { readonly q?: string | undefined } | undefined;
}

interface BulkCall extends SlotCaller {
  readonly bulkSlots: ActorSlots;
  readonly searchSlots: ActorSlots;
}

/** Runs a change of many rows when a slot is free, and with something to search for also a slot of the searches. */
export async function runBulk<T>(
  { bulkSlots, searchSlots, actor, signal }: BulkCall,
  { ids, filter }: Selection,
  work: () => Promise<T>,
): Promise<T> {
  if (ids !== undefined && ids.length <= maxRowsAtOnce) return await work();
  const find = filter?.q === undefined ? work : () => searchSlots.run({ actor, signal }, work);
  return await bulkSlots.run({ actor, signal }, find);
}
