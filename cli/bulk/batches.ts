import { StoppedError } from '../errors.ts';
import { type BulkAnswer, printBulkChange, remarkUndo } from '../output/bulk-change.ts';
import { emitChange, type Format } from '../output/emit.ts';
import { counted } from '../output/number.ts';
import { createProgress } from '../output/progress.ts';
import { stopSignal } from '../stop-signal.ts';
import { remark } from '../terminal.ts';

/** What the calls of a change of many rows have done. */
export interface Bulk {
  readonly answer: BulkAnswer;
  /** The numbers under which it can be undone. */
  readonly changes: readonly number[];
  /** Aborted if the user has stopped it. */
  readonly stop?: AbortSignal;
}

/** The answer of a change of no rows. */
export const noRows: BulkAnswer = {
  success: true,
  matched: 0,
  changed: 0,
  unchanged: 0,
  unknown: [],
  remaining: 0,
  change_id: null,
};

export interface Batches {
  readonly noun: string;
  readonly total: number;
  /** How many rows a call takes. More have progress. */
  readonly batchSize: number;
  /** Makes the next call after what was done so far. Returns undefined if there is none. */
  readonly next: (before: Bulk | undefined) => Promise<BulkAnswer> | undefined;
  /** Adds the answer of a call to those before. */
  readonly add: (before: BulkAnswer, answer: BulkAnswer) => BulkAnswer;
}

/**
 * Makes the calls of a change one after another, and shows the progress of many. Ctrl-C stops it after the current call.
 * An error says what was changed before.
 */
export async function runBatches({ noun, total, batchSize, next, add }: Batches): Promise<Bulk> {
  const progress = createProgress();
  const show = (done: number) => {
    if (total > batchSize) progress.show({ what: `${noun}s`, done, total });
  };
  let bulk: Bulk | undefined;
  let stop: AbortSignal | undefined;
  const end = () => {
    progress.end();
    return bulk ?? { answer: noRows, changes: [] };
  };
  try {
    show(0);
    for (;;) {
      const call = stop?.aborted ? undefined : next(bulk);
      if (call === undefined) return { ...end(), ...(stop?.aborted ? { stop } : {}) };
      // A single call is over before anybody wants to stop it.
      if (bulk !== undefined) stop ??= stopSignal();
      const answer = await call;
      const { change_id } = answer;
      const before = bulk?.changes ?? [];
      bulk = {
        answer: bulk === undefined ? answer : add(bulk.answer, answer),
        changes: change_id === null || before.includes(change_id) ? before : [...before, change_id],
      };
      const { changed, unchanged, unknown } = bulk.answer;
      show(changed + unchanged + unknown.length);
    }
  } catch (error) {
    const { answer, changes } = end();
    if (answer.changed > 0) {
      remark(`Changed ${counted(answer.changed, noun)} before this error.`);
      remarkUndo(changes);
    }
    throw error;
  }
}

/** Returns the sum of answers about different rows. */
export function addRows(one: BulkAnswer, other: BulkAnswer): BulkAnswer {
  return {
    success: true,
    matched: one.matched + other.matched,
    changed: one.changed + other.changed,
    unchanged: one.unchanged + other.unchanged,
    unknown: [...one.unknown, ...other.unknown],
    remaining: other.remaining,
    change_id: other.change_id ?? one.change_id,
  };
}

/** Splits ids into the batches of single calls. */
export function batchesOf<Id>(ids: readonly Id[], size: number): readonly (readonly Id[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/**
 * Prints what a change did, or would do.
 *
 * @throws StoppedError if the user has stopped it
 */
export async function emitBulk(
  { answer, changes, stop }: Bulk,
  format: Format,
  noun: string,
  dryRun?: boolean,
): Promise<void> {
  const document = changes.length > 1 ? { ...answer, change_ids: changes } : answer;
  await emitChange(document, format, () => printBulkChange(answer, noun, dryRun, changes));
  if (stop !== undefined) throw new StoppedError('Stopped. The others were not changed.', stop);
}
