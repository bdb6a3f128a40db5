import type { ActorSlots, SlotCaller } from '../call/actor-slots.ts';

/** Changes of fewer rows are as quick as those of one. */
const maxRowsAtOnce = 100;

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
