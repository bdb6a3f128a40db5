import { maxChangedRows } from '../../src/contract/fields/bounds.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError, StoppedError } from '../errors.ts';
import { emit, emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { print, remark } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { batchesOf, runCalls } from './calls.ts';

export type BulkAnswer = OutputOf<'issues.update'>;

/** More unknown ids are only counted. */
const maxNamed = 20;

/**
 * Prints what a bulk change did, or would do.
 *
 * @param changes - the numbers under which it can be undone
 */
export function printBulkChange(
  answer: BulkAnswer,
  noun: string,
  dryRun: boolean | undefined,
  changes: readonly number[],
): void {
  const { changed, unchanged, unknown, remaining } = answer;
  print(`${dryRun ? 'Would change' : 'Changed'} ${counted(dryRun ? changed + remaining : changed, noun)}.`);
  if (unchanged > 0) remark(`${counted(unchanged, `${noun} has`, `${noun}s have`)} these values already.`);
  remarkUnknown(unknown);
  if (remaining > 0 && !dryRun)
    remark(`${counted(remaining, `${noun} is`, `${noun}s are`)} left. Run the command again to change more.`);
  if (!dryRun) remarkUndo(changes);
}

/** Names the ids that no row has. */
export function remarkUnknown(ids: readonly (number | string)[]): void {
  if (ids.length > 0) remark(printable(`Not found: ${named(ids)}.`));
}

/** @throws NotFoundError if the caller named rows and none exists */
export function requireKnown(
  { matched, unknown }: Pick<BulkAnswer, 'matched' | 'unknown'>,
  noun: string,
): void {
  if (matched > 0 || unknown.length === 0) return;
  throw new NotFoundError(`No ${noun} ${named(unknown)}. Run \`backoffice ${noun}s list\` to see all.`);
}

function named(ids: readonly (number | string)[]): string {
  const more = ids.length - maxNamed;
  return more <= 0
    ? ids.join(', ')
    : `${ids.slice(0, maxNamed).join(', ')} and ${counted(more, 'more', 'more')}`;
}

/** Says how to undo changes. */
export function remarkUndo(changes: readonly number[]): void {
  // The last one first, because it may build upon the others.
  if (changes.length > 0)
    remark(`To undo this, run \`backoffice changes undo ${[...changes].reverse().join(' ')}\`.`);
}

/** Returns the sum of the answers of a change by a filter that took several calls. */
export function addAnswers(first: BulkAnswer, second: BulkAnswer): BulkAnswer {
  const { remaining, change_id } = second;
  const changed = first.changed + second.changed;
  const unchanged = Math.max(first.unchanged, second.unchanged);
  return {
    ...first,
    matched: changed + unchanged + remaining,
    changed,
    unchanged,
    remaining,
    change_id: change_id ?? first.change_id,
  };
}

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
