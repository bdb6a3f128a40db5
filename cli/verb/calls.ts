import { StoppedError } from '../errors.ts';
import { emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { createProgress } from '../output/progress.ts';
import { print, remark, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';

/** The calls of a command on many rows. */
interface Calls {
  readonly noun: string;
  readonly total: number;
  /** More rows than this take so long that their progress is shown. */
  readonly quick: number;
  /** Each call is taken from here once the one before it is done. */
  readonly calls: Iterable<() => Promise<void>>;
  /** Returns how many rows are done. */
  readonly done: () => number;
  /** Says what was done before an error. */
  readonly explain: () => void;
}

/**
 * Makes calls one after another, and shows the progress of many. Ctrl-C stops them after the current one. An error says what
 * was done before.
 *
 * @returns the signal of the stop, if the user has stopped them
 */
export async function runCalls({ noun, total, quick, calls, done, explain }: Calls) {
  const progress = createProgress();
  let stop: AbortSignal | undefined;
  const show = () => {
    if (total > quick) progress.show({ what: `${noun}s`, done: done(), total });
  };
  try {
    show();
    for (const call of calls) {
      if (stop?.aborted) return stop;
      // A single call is over before anybody wants to stop it.
      if (done() > 0) stop ??= stopSignal();
      await call();
      show();
    }
    return undefined;
  } catch (error) {
    progress.end();
    explain();
    throw error;
  } finally {
    progress.end();
  }
}

/** Splits ids into the batches of single calls. */
export function batchesOf<Id>(ids: readonly Id[], size: number): readonly (readonly Id[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

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
  let deleted = 0;
  const stop = await runCalls({
    ...{ noun, total: ids.length, quick },
    calls: batchesOf(ids, batchSize).map((batch) => async () => {
      deleted += await remove(batch);
    }),
    done: () => deleted,
    explain() {
      if (deleted > 0) remark(`Deleted ${counted(deleted, noun)} before this error.`);
    },
  });
  const named = stop === undefined ? what : undefined;
  await emitChange({ success: true, deleted }, format, () =>
    print(`Deleted ${named ?? counted(deleted, noun)}.`),
  );
  if (stop !== undefined) throw new StoppedError('Stopped. The others were not deleted.', stop);
}
