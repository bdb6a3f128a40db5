import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError, StoppedError } from '../errors.ts';
import { emit, emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { createProgress } from '../output/progress.ts';
import { print, remark, stopSignal } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';

export type BulkAnswer = OutputOf<'issues.update'>;

/** More unknown ids are only counted. */
const maxNamed = 20;

/** Names the ids that no row has. */
export function remarkUnknown(ids: readonly (number | string)[]): void {
  if (ids.length > 0) remark(printable(`Not found: ${named(ids)}.`));
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

/** What the calls of a change of many rows have done. A deletion counts as changed what it has deleted. */
export interface Bulk {
  /** The sum of their answers. */
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
  /** What was done: `Changed`. */
  readonly done: string;
  readonly total: number;
  /** More rows than this take so long that their progress is shown. */
  readonly quick: number;
}

/**
 * Adds up the answers of calls. Each call is made when its answer is asked for. Shows the progress of many. Ctrl-C stops them
 * after the current one. An error says what was done before.
 */
export async function addUp(
  { noun, done, total, quick }: Batches,
  answers: AsyncIterable<BulkAnswer>,
): Promise<Bulk> {
  const progress = createProgress();
  let bulk = nothing;
  let stop: AbortSignal | undefined;
  const show = () => {
    const { changed, unchanged, unknown } = bulk.answer;
    const rows = changed + unchanged + unknown.length;
    if (total > quick) progress.show({ what: `${noun}s`, done: rows, total });
    return rows;
  };
  try {
    show();
    for await (const answer of answers) {
      bulk = withAnswer(bulk, answer);
      if (show() >= total) continue;
      // A single call is over before anybody wants to stop it.
      stop ??= stopSignal();
      if (stop.aborted) return { ...bulk, stop };
    }
    return bulk;
  } catch (error) {
    progress.end();
    const { changed } = bulk.answer;
    if (changed > 0) remark(`${done} ${counted(changed, noun)} before this error.`);
    remarkUndo(bulk.changes);
    throw error;
  } finally {
    progress.end();
  }
}

function withAnswer({ answer: before, changes }: Bulk, answer: BulkAnswer): Bulk {
  const { remaining, change_id } = answer;
  const changed = before.changed + answer.changed;
  const unchanged = before.unchanged + answer.unchanged;
  return {
    answer: {
      success: true,
      matched: changed + unchanged + remaining,
      changed,
      unchanged,
      unknown: [...before.unknown, ...answer.unknown],
      remaining,
      change_id: change_id ?? before.change_id,
    },
    changes: change_id === null || changes.includes(change_id) ? changes : [...changes, change_id],
  };
}

/** @throws StoppedError if the user has stopped the calls */
export function requireEnd({ stop }: Bulk, done: 'changed' | 'deleted'): void {
  if (stop !== undefined) throw new StoppedError(`Stopped. The others were not ${done}.`, stop);
}

/** @throws NotFoundError if the caller named rows and none exists */
export function requireKnown({ matched, unknown }: BulkAnswer, noun: string): void {
  if (matched > 0 || unknown.length === 0) return;
  throw new NotFoundError(`No ${noun} ${named(unknown)}. Run \`backoffice ${noun}s list\` to see all.`);
}

/**
 * Prints what a change did, or would do.
 *
 * @throws StoppedError if the user has stopped it
 */
export async function emitBulk(bulk: Bulk, format: Format, noun: string, dryRun?: boolean): Promise<void> {
  const { answer, changes } = bulk;
  const document = changes.length > 1 ? { ...answer, change_ids: changes } : answer;
  const { changed, unchanged, unknown, remaining } = answer;
  const show = () => {
    print(`${dryRun ? 'Would change' : 'Changed'} ${counted(dryRun ? changed + remaining : changed, noun)}.`);
    if (unchanged > 0) remark(`${counted(unchanged, `${noun} has`, `${noun}s have`)} these values already.`);
    remarkUnknown(unknown);
    if (dryRun) return;
    if (remaining > 0)
      remark(
        `${counted(remaining, `${noun} is`, `${noun}s are`)} left. Run the command again to change more.`,
      );
    remarkUndo(changes);
  };
  await (dryRun ? emit(document, format, undefined, show) : emitChange(document, format, show));
  requireEnd(bulk, 'changed');
}
