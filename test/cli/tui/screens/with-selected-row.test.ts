import { describe, expect, test } from 'vitest';
import { withSelectedRow } from '../../../../cli/tui/screens/with-selected-row.ts';
import type { App } from '../../../../cli/tui/state/app.ts';
import { listOver, type Row, rowsFrom } from '../../../support/run/dashboard-here.ts';

describe('an action on the row under the cursor', () => {
  /** An app that collects its messages. */
  function appWith(messages: string[]): App {
    const openAfter: App['openAfter'] = async (load, open) => open(await load());
    return { openAfter, showMessage: (text: string) => messages.push(text) } as unknown as App;
  }

  test('waits for the first rows', async () => {
    const list = listOver({ current: rowsFrom(3, 1) });
    const done: number[] = [];
    await withSelectedRow(appWith([]), list, 'None.', ({ id }) => done.push(id));
    expect(done).toEqual([3]);
  });

  test('shows that there is no row, or why the rows did not load', async () => {
    const rows: { current: Row[]; failure?: string } = { current: [] };
    const list = listOver(rows);
    const messages: string[] = [];
    await withSelectedRow(appWith(messages), list, 'None.', () => expect.fail('There is no row.'));
    rows.failure = 'The database is away.';
    await withSelectedRow(appWith(messages), list, 'None.', () => expect.fail('There is no row.'));
    expect(messages).toEqual(['None.', 'Error: The database is away.']);
  });
});
