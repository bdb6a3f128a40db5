import { maxChangedRows } from '../../src/contract/fields/bounds.ts';
import { StoppedError } from '../errors.ts';
import { type BulkAnswer, printBulkChange, remarkUndo, requireKnown } from '../output/bulk-change.ts';
import { emit, emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { counted } from '../terminal/number.ts';
import { remark } from '../terminal/terminal.ts';
import { batchesOf, runCalls } from './run-calls.ts';

/** What the calls of a change of many rows have done. */
export interface Bulk {
  readonly answer: BulkAnswer;
  /** The numbers under which it can be undone. */
  readonly changes: readonly number[];
  /** Aborted if the user has stopped it. */
  readonly stop?: AbortSignal;
}

/** A change of no rows. */
export const nothing: Bulk = {
  answer: {
    success: true,
    matched: 0,
    changed: 0,
    unchanged: 0,
    unknown: [],
    remaining: 0,
    change_id: null,
  },
  changes: [],
};

interface Batches {
  readonly noun: string;
  readonly total: number;
  /** Returns the next call after what was done so far; undefined if none is left. */
  readonly next: (before: BulkAnswer | undefined) => (() => Promise<BulkAnswer>) | undefined;
  /** Adds the answer of a call to those before. */
  readonly add: (before: BulkAnswer, answer: BulkAnswer) => BulkAnswer;
}

/** Makes the calls of a change, until the user stops it. */
export async function runBatches({ noun, total, next, add }: Batches): Promise<Bulk> {
  const { state, stop } = await runCalls<Bulk | undefined>({
    noun,
    total,
    quick: maxChangedRows,
    start: undefined,
    doneOf: ({ answer: { changed, unchanged, unknown } } = nothing) => changed + unchanged + unknown.length,
    next(bulk) {
      const call = next(bulk?.answer);
      return call && (async () => withAnswer(bulk, await call(), add));
    },
    explain({ answer, changes } = nothing) {
      if (answer.changed === 0) return;
      remark(`Changed ${counted(answer.changed, noun)} before this error.`);
      remarkUndo(changes);
    },
  });
  return { ...(state ?? nothing), ...(stop === undefined ? {} : { stop }) };
}

function withAnswer(before: Bulk | undefined, answer: BulkAnswer, add: Batches['add']): Bulk {
  const { change_id } = answer;
  const changes = before?.changes ?? [];
  return {
    answer: before === undefined ? answer : add(before.answer, answer),
    changes: change_id === null || changes.includes(change_id) ? changes : [...changes, change_id],
  };
}

/**
 * Changes the rows with these ids.
 *
 * @param change - makes one call
 * @throws NotFoundError if there are ids and no row has one
 */
export async function changeRows<Id>(
  noun: string,
  ids: readonly Id[],
  change: (ids: Id[]) => Promise<BulkAnswer>,
): Promise<Bulk> {
  const batches = [...batchesOf(ids, maxChangedRows)];
  const bulk = await runBatches({
    noun,
    total: ids.length,
    next() {
      const batch = batches.shift();
      return batch && (() => change([...batch]));
    },
    add: addRows,
  });
  requireKnown(bulk.answer, noun);
  return bulk;
}

/** Returns the sum of answers about different rows. */
function addRows(one: BulkAnswer, other: BulkAnswer): BulkAnswer {
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
  const show = () => printBulkChange(answer, noun, dryRun, changes);
  await (dryRun ? emit(document, format, undefined, show) : emitChange(document, format, show));
  if (stop !== undefined) throw new StoppedError('Stopped. The others were not changed.', stop);
}
