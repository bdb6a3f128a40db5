import { StoppedError } from '../errors.ts';
import { emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { createProgress } from '../output/progress.ts';
import { print, remark, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';

/** The calls of a command on many rows. */
export interface Calls<State> {
  readonly noun: string;
  readonly total: number;
  /** More rows than this take so long that their progress is shown. */
  readonly quick: number;
  /** What was done before the first call. */
  readonly start: State;
  readonly doneOf: (state: State) => number;
  /** Returns the next call after what was done so far, which resolves with what is done then. Undefined if none is left. */
  readonly next: (state: State) => (() => Promise<State>) | undefined;
  /** Says what was done before an error. */
  readonly explain: (state: State) => void;
}

/** What calls have done. */
export interface Done<State> {
  readonly state: State;
  /** Present if the user has stopped them. */
  readonly stop?: AbortSignal;
}

/**
 * Makes calls one after another, and shows the progress of many. Ctrl-C stops them after the current one. An error says what
 * was done before.
 */
export async function runCalls<State>(calls: Calls<State>): Promise<Done<State>> {
  const { noun, total, quick, start, doneOf, next, explain } = calls;
  const progress = createProgress();
  let state = start;
  let stop: AbortSignal | undefined;
  const show = () => {
    if (total > quick) progress.show({ what: `${noun}s`, done: doneOf(state), total });
  };
  try {
    show();
    for (let call = next(state); call !== undefined; call = next(state)) {
      if (stop?.aborted) return { state, stop };
      // A single call is over before anybody wants to stop it.
      if (state !== start) stop ??= stopSignal();
      state = await call();
      show();
    }
    return { state };
  } catch (error) {
    progress.end();
    explain(state);
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
