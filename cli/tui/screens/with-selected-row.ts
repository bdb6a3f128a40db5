import type { List } from '../list/list.ts';
import type { App } from '../state/app.ts';

/**
 * Does the work with the row under the cursor. If no row is loaded yet, as right after a jump to the screen, loads the
 * list first, and does nothing if the user has gone elsewhere by then.
 *
 * @param emptyMessage - shown if the list is empty
 */
export async function withSelectedRow<Row>(
  app: App,
  list: Pick<List<Row>, 'current' | 'refresh' | 'store'>,
  emptyMessage: string,
  work: (row: Row) => void,
): Promise<void> {
  const start = () => {
    const row = list.current();
    if (row !== undefined) return work(row);
    // A list that failed to load may have rows. One that was never loaded shows the error itself.
    const { phase, error } = list.store.get();
    if (error === '') app.showMessage(emptyMessage, 'note');
    else if (phase !== 'failed') app.showMessage(error, 'failed');
  };
  if (list.current() === undefined) await app.openAfter(list.refresh, start);
  else start();
}
