import { StoppedError } from '../errors.ts';
import { emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { counted } from '../terminal/number.ts';
import { print, remark } from '../terminal/terminal.ts';
import { batchesOf, runCalls } from './run-calls.ts';

interface Deletion<Id> {
  readonly noun: string;
  readonly ids: readonly Id[];
  /** How many rows a call deletes. */
  readonly batchSize: number;
  /** More rows than this have progress. */
  readonly quick: number;
  /** Deletes rows by one call. Returns how many. */
  readonly remove: (ids: readonly Id[]) => Promise<number>;
}

/**
 * Deletes rows and prints how many.
 *
 * @param what - names all of the rows
 * @throws StoppedError if the user has stopped it
 */
export async function deleteRows<Id>(
  { noun, ids, batchSize, quick, remove }: Deletion<Id>,
  format: Format,
  what?: string,
): Promise<void> {
  const batches = [...batchesOf(ids, batchSize)];
  const { state: deleted, stop } = await runCalls<number>({
    noun,
    total: ids.length,
    quick,
    start: 0,
    doneOf: (done) => done,
    next(done) {
      const batch = batches.shift();
      return batch && (async () => done + (await remove(batch)));
    },
    explain(done) {
      if (done > 0) remark(`Deleted ${counted(done, noun)} before this error.`);
    },
  });
  const named = stop === undefined ? what : undefined;
  await emitChange({ success: true, deleted }, format, () =>
    print(`Deleted ${named ?? counted(deleted, noun)}.`),
  );
  if (stop !== undefined) throw new StoppedError('Stopped. The others were not deleted.', stop);
}
