import type { Limited } from '../load/classes.ts';

/** Changes of fewer rows are as quick as those of one. */
const maxRowsAtOnce = 100;

/** What selects the rows of a change. */
interface Selection {
  readonly ids?: readonly unknown[] | undefined;
  readonly filter?: { readonly q?: string | undefined } | undefined;
}

/** Runs a change of many rows when it is its turn, and with something to search for also among the searches. */
export async function runBulk<T>(
  { limited }: { readonly limited: Limited },
  { ids, filter }: Selection,
  work: () => Promise<T>,
): Promise<T> {
  if (ids !== undefined && ids.length <= maxRowsAtOnce) return await work();
  return await limited('bulk', () => (filter?.q === undefined ? work() : limited('searches', work)));
}
