import type { OutputOf } from '../../../src/contract/registry.ts';
import { assigneeNames } from '../../nouns/history.ts';
import { printable } from '../../terminal/text.ts';
import { age } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { openMenu } from '../dialogs/menu.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

export type Entry = OutputOf<'issues.history'>['history'][number];

/** Returns what a change of the history says: `status: Open → Closed  grace@example.com`. */
export const changeText = ({ field, before, after, actor }: Entry): string =>
  printable(`${field}: ${before ?? '–'} → ${after ?? '–'}  ${actor}`);

/** Shows the changes of a row, newest first. Enter undoes one. @param one - what a row is called */
export function history<Row>(
  app: App,
  rows: Rows<Row>,
  one: string,
  nameOf: (row: Row) => string,
  load: (row: Row) => Promise<readonly Entry[]>,
): Part {
  const named = assigneeNames(app);
  const open = (row: Row) =>
    openMenu<Entry>(app, {
      title: `History of ${nameOf(row)}: Enter undoes a change`,
      find: async () => named(await load(row)),
      text: changeText,
      note: ({ at, door }) => `${door} ${age(at)}`,
      empty: 'No changes.',
      take({ change_id, field }) {
        const known = app.undo.all().find(({ changeIds }) => changeIds.includes(change_id));
        const change = known ?? { what: `${field} of ${nameOf(row)}`, one, changeIds: [change_id] };
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
