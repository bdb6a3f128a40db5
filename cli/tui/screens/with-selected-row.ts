import type { App } from '../app.ts';
import type { List } from '../list/list.ts';

/**
 * Does something to the row under the cursor. Where no row is there yet, as right after a jump to the screen, it looks
 * before it says that there is none, and leaves it where somebody has gone on meanwhile.
 *
 * @param none - what is said where the list is empty
 */
export async function withSelectedRow<Row>(
  app: App,
  list: Pick<List<Row>, 'current' | 'refresh' | 'store'>,
  none: string,
  work: (row: Row) => void,
): Promise<void> {
  const layer = app.layer();
  if (list.current() === undefined) await list.refresh();
  if (app.layer() !== layer) return;
  const row = list.current();
  if (row !== undefined) return work(row);
  // Whether there is one is not known where the list could not be loaded. One that never was tells why by itself.
  const { phase, error } = list.store.get();
  if (error === '') app.say(none, 'note');
  else if (phase !== 'failed') app.say(error, 'failed');
}
