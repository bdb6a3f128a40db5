import { createList, type List } from '../../list/list.ts';
import type { ListSource, Page } from '../../list/source.ts';
import type { Store } from '../../state/store.ts';
import type { PartState } from './parts.ts';
import type { View } from './saved-view.ts';
import type { Sort, Sorting } from './sorting.ts';

/** What decides which rows a list shows, in which order and with which columns. */
export interface ArrangedState extends PartState {
  readonly sort: Sort;
  readonly columns: readonly string[];
}

/** A list whose rows, order and columns a person chooses. */
export interface ArrangedList<Row> {
  readonly list: List<Row>;
  /** Applies a change of the columns or the order. Loads the assignees if they are needed for the first time. */
  arrange(change: Partial<Pick<ArrangedState, 'sort' | 'columns'>>): void;
  choose(view: View): void;
}

/** Returns what a list has before its first load. */
export function arrangedBy(saved: View): ArrangedState {
  const { sort, columns } = saved;
  return { filter: '', saved, part: null, sort, columns };
}

/** Reports whether the list shows who works on its rows, or is sorted by that. */
export function needsAssignees({ columns, sort }: Pick<ArrangedState, 'columns' | 'sort'>): boolean {
  return columns.includes('assignee') || sort.column === 'assignee';
}

export function createArrangedList<Row>(
  store: Pick<Store<ArrangedState>, 'get' | 'set'>,
  source: ListSource<Row, Page<Row>>,
  sorting: Pick<Sorting<Row>, 'arrangement'>,
): ArrangedList<Row> {
  const list = createList<Row>(source);
  const applySort = () => {
    source.arrange = sorting.arrangement(store.get().sort);
  };
  applySort();
  return {
    list,
    arrange(change) {
      const hadAssignees = needsAssignees(store.get());
      store.set(change);
      applySort();
      if (needsAssignees(store.get()) && !hadAssignees) void list.reload();
      else void list.rearrange();
    },
    choose(view) {
      store.set(arrangedBy(view));
      applySort();
      void list.reload().then(() => list.toFirst());
    },
  };
}
