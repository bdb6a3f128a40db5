import type { OutputOf } from '../../../src/contract/registry.ts';
import { printable } from '../../terminal/text.ts';
import { age } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { openMenu } from '../dialogs/menu.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

export type Entry = OutputOf<'issues.history'>['history'][number];

/** Shows the changes of a row, newest first. Enter undoes one. */
export function history<Row>(
  app: App,
  rows: Rows<Row>,
  nameOf: (row: Row) => string,
  load: (row: Row) => Promise<readonly Entry[]>,
): Part {
  const open = (row: Row) =>
    openMenu<Entry>(app, {
      title: `History of ${nameOf(row)}: Enter undoes a change`,
      find: () => load(row),
      text: ({ field, before, after, actor }) =>
        printable(`${field}: ${before ?? '–'} → ${after ?? '–'}  ${actor}`),
      note: ({ at, door }) => `${door} ${age(at)}`,
      empty: 'No changes.',
      take({ change_id, field }) {
        const known = app.undo.all().find(({ changeIds }) => changeIds.includes(change_id));
        const change = known ?? { what: `${field} of ${nameOf(row)}`, changeIds: [change_id] };
        app.confirm(`Undo ${change.what}?`, () => {
          if (known === undefined) app.undo.push(change);
          return app.undo.undo(change);
        });
      },
    });
  return {
    actions: [rowAction(rows)('row.history', 'H', 'Show the history, to undo a change', undefined, open)],
  };
}
