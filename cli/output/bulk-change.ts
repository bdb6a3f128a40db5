import type { OutputOf } from '../../src/contract/registry.ts';
import { NotFoundError } from '../errors.ts';
import { print, remark } from '../terminal.ts';
import { counted } from './number.ts';

export type BulkAnswer = OutputOf<'issues.update'>;

/** Prints what a bulk change did, or would do. */
export function printBulkChange(answer: BulkAnswer, noun: string, dryRun: boolean | undefined): void {
  const { changed, unchanged, unknown, remaining, change_id } = answer;
  print(`${dryRun ? 'Would change' : 'Changed'} ${counted(dryRun ? changed + remaining : changed, noun)}.`);
  if (unchanged > 0) remark(`${counted(unchanged, `${noun} has`, `${noun}s have`)} these values already.`);
  if (unknown.length > 0) remark(`Unknown: ${unknown.join(', ')}.`);
  if (remaining > 0 && !dryRun)
    remark(`${counted(remaining, `${noun} is`, `${noun}s are`)} left. Run the command again to change more.`);
  remarkUndo(change_id);
}

/** @throws NotFoundError if the caller named rows and none exists */
export function requireKnown({ matched, unknown }: BulkAnswer, noun: string): void {
  if (matched > 0 || unknown.length === 0) return;
  throw new NotFoundError(`No ${noun} ${unknown.join(', ')}. Run \`backoffice ${noun}s list\` to see all.`);
}

/** Says how to undo a change. */
export function remarkUndo(changeId: number | null): void {
  if (changeId !== null) remark(`To undo this, run \`backoffice changes undo ${changeId}\`.`);
}

/** Returns the sum of the answers of a change that took several calls. */
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
