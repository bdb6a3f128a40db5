import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError } from '../errors.ts';
import { counted } from '../terminal/number.ts';
import { print, remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';

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
