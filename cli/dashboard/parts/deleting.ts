import { partsOf } from '../../../src/contract/client/many-rows.ts';
import type { App } from '../app/app.ts';
import { action, type Calls, type Part } from '../app/types.ts';
import type { Key, Rows } from '../list/rows.ts';
import type { Changes } from './changing.ts';

/** Deletes the selected rows after a question. @param remove - deletes rows, whose number is at most `atOnce` */
export function deleting<Row extends { readonly id: Key }>(
  app: App,
  rows: Rows<Row>,
  changes: Changes<Row>,
  about: {
    readonly calls: Calls;
    readonly title: string;
    readonly atOnce: number;
    /** What goes with a row, such as `with all comments`. */
    readonly including: string;
    readonly remove: (ids: readonly Key[]) => Promise<unknown>;
  },
): Part {
  const { calls, title, atOnce, including, remove } = about;
  return {
    actions: [
      action(
        'row.delete',
        ['D', 'delete'],
        { title, calls },
        changes.on((targets) => {
          if (targets.kind === 'all')
            return app.say('Select loaded rows: all that match cannot be deleted at once.', 'note');
          const ids = targets.rows.map(({ id }) => id);
          const named = changes.nameOf(targets);
          app.confirm(`Delete ${named} ${including}? This cannot be undone.`, async () => {
            for (const some of partsOf(ids, atOnce)) {
              await remove(some);
              rows.remove(some);
              changes.forget(some);
            }
            app.say(`Deleted ${named}.`);
          });
        }),
      ),
    ],
  };
}
