import type { App } from '../app/app.ts';
import type { Part } from '../app/types.ts';
import { openMenu } from '../dialogs/menu.ts';
import { rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';

/** A row of another screen. */
export interface Link {
  readonly title: string;
  readonly screen: string;
  readonly key: string | number;
}

/** Goes to what a row is linked with. Esc leads back. */
export function linking<Row>(app: App, rows: Rows<Row>, load: (row: Row) => Promise<readonly Link[]>): Part {
  const follow = ({ screen, key }: Link) => app.visit(screen, key);
  const open = (row: Row) =>
    app.openAfter(
      () => load(row),
      (links) => {
        const [only, another] = links;
        if (only === undefined) return app.say('Nothing is linked with it.', 'note');
        if (another === undefined) return follow(only);
        openMenu(app, { title: 'Go to', find: () => links, text: ({ title }) => title, take: follow });
      },
    );
  return {
    actions: [rowAction(app, rows)('row.links', 'o', { title: 'Go to what it is linked with' }, open)],
  };
}
