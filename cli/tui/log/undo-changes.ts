import { counted, grouped } from '../../terminal/number.ts';
import type { App } from '../state/app.ts';

export interface UndoOptions {
  /** What the rows are called, if that is known. */
  readonly noun?: string;
  /** Receives each change that was undone. */
  readonly onUndone?: (changeId: number) => void;
}

/**
 * Undoes a change that took one or several calls, the last one first, and returns what that did, in a sentence.
 *
 * @param what - what the undo is called in the log
 */
export async function undoChanges(
  app: App,
  what: string,
  changeIds: readonly number[],
  { noun, onUndone = () => {} }: UndoOptions = {},
): Promise<string> {
  const done = { restored: 0, left: 0 };
  await app.asOne(what, async (call) => {
    for (const change_id of changeIds.toReversed()) {
      if (changeIds.length > 1) app.showMessage(`Undoing: ${grouped(done.restored)} put back…`, 'note');
      const { restored, left } = await call('changes.undo', { change_id });
      done.restored += restored;
      done.left += left;
      onUndone(change_id);
    }
  });
  const rows = (count: number) => (noun === undefined ? grouped(count) : counted(count, noun));
  const { restored, left } = done;
  const kept = left === 1 ? 'has changed since, and stays' : 'have changed since, and stay';
  return `Put back ${rows(restored)}.${left === 0 ? '' : ` ${rows(left)} ${kept}.`}`;
}
