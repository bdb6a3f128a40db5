import type { ActionId } from '../../keys/actions.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { columnsDialog } from './columns-dialog.tsx';
import type { IssueList } from './issue-list.ts';
import type { IssueView } from './saved-view.ts';
import { nextSort, type Sort, sortColumns, sortedBy } from './sort.ts';
import { effectiveFilter, type IssuesState } from './state.ts';
import { createViewStore } from './view-store.ts';
import { viewsDialog } from './views-dialog.tsx';

export interface ArrangementOptions {
  readonly store: Store<IssuesState>;
  readonly arrange: IssueList['arrange'];
  readonly onChoose: (view: IssueView) => void;
}

/** Decides in which order and with which columns the list shows the issues, and keeps that in views. */
export function issueArrangement(app: App, { store, arrange, onChoose }: ArrangementOptions) {
  const views = createViewStore(app.preferences);
  const sortBy = (sort: Sort) => arrange({ sort });
  const openColumns = () =>
    app.open(columnsDialog(app, store.get().columns, (columns) => arrange({ columns })));
  const openViews = () =>
    app.open(
      viewsDialog(app, {
        views,
        current: store.get().saved.name,
        shown: (name) => {
          const { sort, columns } = store.get();
          return { name, filter: effectiveFilter(store.get()), sort, columns };
        },
        onChoose,
        onColumns: openColumns,
      }),
    );
  const sortByColumn = (name: string) => {
    const column = sortColumns.find((each) => each === name);
    if (column !== undefined) sortBy(sortedBy(column, store.get().sort));
    return column !== undefined;
  };

  return {
    /** Sorts by a column, or reverses the order. Returns false if issues have no order by it. */
    sortByColumn,
    /** Performs the action. Returns false if it does not arrange the list. */
    perform(action: ActionId): boolean {
      const { sort } = store.get();
      if (action === 'issues.views') openViews();
      else if (action === 'issues.columns') openColumns();
      else if (action === 'issues.sort') sortBy(nextSort(sort));
      else if (action === 'issues.reverse') sortBy({ ...sort, isReversed: !sort.isReversed });
      else return sortByColumn(columnNameOf(action));
      return true;
    },
  };
}

/** Returns the name of the column that an action such as `issues.sortTitle` sorts by. */
function columnNameOf(action: ActionId): string {
  const [, name = ''] = /^issues\.sort([A-Z][a-z]+)$/.exec(action) ?? [];
  return name.toLowerCase();
}
