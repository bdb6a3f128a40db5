import type { ActionId } from '../../keys/actions.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import type { ArrangedList, ArrangedState } from './arranged-list.ts';
import { columnsDialog } from './columns-dialog.tsx';
import type { View, ViewKind } from './saved-view.ts';
import type { Sorting } from './sorting.ts';
import { createViewStore } from './view-store.ts';
import { viewsDialog } from './views-dialog.tsx';

export interface ArrangementOptions {
  /** The scope of its actions. */
  readonly scope: 'issues' | 'conversations';
  readonly kind: ViewKind;
  readonly sorting: Pick<Sorting<never>, 'columns' | 'by' | 'next'>;
  readonly store: Pick<Store<ArrangedState>, 'get'>;
  readonly arrange: ArrangedList<unknown>['arrange'];
  /** Returns the filter that a saved view gets. */
  readonly filter: () => string;
  readonly onChoose: (view: View) => void;
}

/** Decides in which order and with which columns a list shows its rows, and keeps that in views. */
export function createArrangement(app: App, options: ArrangementOptions) {
  const { scope, kind, sorting, store, arrange, filter, onChoose } = options;
  const views = createViewStore(app.preferences, kind);
  const openColumns = () =>
    app.open(columnsDialog(app, kind.columns, store.get().columns, (columns) => arrange({ columns })));
  const openViews = () =>
    app.open(
      viewsDialog(app, {
        views,
        current: store.get().saved.name,
        shown(name) {
          const { sort, columns } = store.get();
          return { name, filter: filter(), sort, columns };
        },
        onChoose,
        onColumns: openColumns,
      }),
    );
  const sortByColumn = (name: string) => {
    const isColumn = sorting.columns.includes(name);
    if (isColumn) arrange({ sort: sorting.by(name, store.get().sort) });
    return isColumn;
  };

  return {
    /** Sorts by a column, or reverses the order. Returns false if the rows have no order by it. */
    sortByColumn,
    /** Performs the action. Returns false if it does not arrange the list. */
    perform(action: ActionId): boolean {
      const { sort } = store.get();
      if (action === `${scope}.views`) openViews();
      else if (action === `${scope}.columns`) openColumns();
      else if (action === `${scope}.sort`) arrange({ sort: sorting.next(sort) });
      else if (action === `${scope}.reverse`) arrange({ sort: { ...sort, isReversed: !sort.isReversed } });
      else return action.startsWith(`${scope}.sort`) && sortByColumn(columnNameOf(action));
      return true;
    },
  };
}

/** Returns the name of the column that an action such as `issues.sortTitle` sorts by. */
function columnNameOf(action: ActionId): string {
  const [, name = ''] = /\.sort([A-Z][a-z]+)$/.exec(action) ?? [];
  return name.toLowerCase();
}
