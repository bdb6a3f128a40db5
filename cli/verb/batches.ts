import { maxChangedRows } from '../../src/contract/fields/bounds.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError, StoppedError } from '../errors.ts';
import { emit, emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { print, remark } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { runCalls } from './calls.ts';

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
    ...{ success: true, matched: 0, changed: 0, unchanged: 0, unknown: [], remaining: 0 },
    change_id: null,
  },
  changes: [],
};

interface Batches {
  readonly noun: string;
  readonly total: number;
  /** Returns the calls. Each is taken once the one before it has answered; `answer` returns the sum of the answers so far. */
  readonly calls: (answer: () => BulkAnswer) => Iterable<() => Promise<BulkAnswer>>;
  /** Whether each call answers about all rows again, as one by a filter does. */
  readonly overlap: boolean;
}

/** Makes the calls of a change, until the user stops it. */
export async function runBatches({ noun, total, calls, overlap }: Batches): Promise<Bulk> {
  let bulk = nothing;
  function* addedUp() {
    for (const call of calls(() => bulk.answer))
      yield async () => {
        bulk = withAnswer(bulk, await call(), overlap);
      };
  }
  const stop = await runCalls({
    ...{ noun, total, quick: maxChangedRows, calls: addedUp() },
    done() {
      const { changed, unchanged, unknown } = bulk.answer;
      return changed + unchanged + unknown.length;
    },
    explain() {
      const { changed } = bulk.answer;
      if (changed === 0) return;
      remark(`Changed ${counted(changed, noun)} before this error.`);
      remarkUndo(bulk.changes);
    },
  });
  return { ...bulk, ...(stop && { stop }) };
}

function withAnswer({ answer: before, changes }: Bulk, answer: BulkAnswer, overlap: boolean): Bulk {
  const { remaining, change_id } = answer;
  const changed = before.changed + answer.changed;
  const unchanged = overlap
    ? Math.max(before.unchanged, answer.unchanged)
    : before.unchanged + answer.unchanged;
  return {
    answer: {
      ...{ success: true, matched: changed + unchanged + remaining, changed, unchanged },
      unknown: [...before.unknown, ...answer.unknown],
      remaining,
      change_id: change_id ?? before.change_id,
    },
    changes: change_id === null || changes.includes(change_id) ? changes : [...changes, change_id],
  };
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
export async function emitBulk(
  { answer, changes, stop }: Bulk,
  format: Format,
  noun: string,
  dryRun?: boolean,
): Promise<void> {
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
  if (stop !== undefined) throw new StoppedError('Stopped. The others were not changed.', stop);
}
