import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { printable } from '../../terminal/text.ts';
import { age } from '../../terminal/time.ts';
import { assigneeNames } from '../../verb/people.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { openMenu } from '../dialogs/menu.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

export type Entry = OutputOf<'issues.history'>['history'][number];

/** Returns what a change of the history says: `status: Open → Closed  grace@example.com`. */
export const changeText = ({ field, before, after, actor }: Entry): string =>
  printable(`${field}: ${before ?? '–'} → ${after ?? '–'}  ${actor}`);

const maxEntries = 200;

/** Shows the changes of a row, newest first. Enter undoes one. */
export function history<Row extends { readonly id: number | string }>(
  app: App,
  rows: Rows<Row>,
  { id: noun, one }: { readonly id: 'issues' | 'conversations'; readonly one: string },
  nameOf: (row: Row) => string,
): Part {
  const named = assigneeNames(app);
  const load = async ({ id }: Row) => {
    const input = { id, limit: maxEntries } as InputOf<'issues.history'>;
    return await named((await app.call(`${noun}.history` as 'issues.history', input)).history);
  };
  const open = (row: Row) =>
    openMenu<Entry>(app, {
      title: `History of ${nameOf(row)}: Enter undoes a change`,
      find: () => load(row),
      text: changeText,
      note: ({ at, door }) => `${door} ${age(at)}`,
      empty: 'No changes.',
      take({ change_id, field }) {
        const known = app.undo.all().find(({ changeIds }) => changeIds.includes(change_id));
        const what = `change ${change_id} (${field} of ${nameOf(row)}), on all rows that it changed`;
        const change = known ?? { what, one, changeIds: [change_id] };
        app.confirm(`Undo ${change.what}?`, () => {
          if (known === undefined) app.undo.push(change);
          return app.undo.undo(change);
        });
      },
    });
  return {
    actions: [
      rowAction(app, rows)('row.history', 'H', { title: 'Show the history, to undo a change' }, open),
    ],
  };
}
