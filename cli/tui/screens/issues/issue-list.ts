import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../../../src/contract/schemas/issues.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import { createList, type List } from '../../list/list.ts';
import type { ListSource } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { isCounted, parseIssueFilter } from './filter.ts';
import { type IssueRow, toIssueRow } from './row.ts';
import type { IssueView } from './saved-view.ts';
import { isDefaultSort, sortIssues } from './sort.ts';
import { effectiveFilter, type IssuesState } from './state.ts';

/** The issues that the view, the part and the filter select, in their order. */
export interface IssueList {
  readonly list: List<IssueRow>;
  /** Returns why no issue can match, if none can. */
  problem(): string | undefined;
  loadCounts(): Promise<void>;
  /** Applies a change of the columns or the order. Loads the assignees if they are needed for the first time. */
  arrange(change: Partial<Pick<IssuesState, 'sort' | 'columns'>>): void;
  choose(view: IssueView): void;
}

/** How many days the trend above the list has. */
const trendDays = 14;

export function createIssueList(app: App, store: Store<IssuesState>): IssueList {
  const parsedFilter = () => parseIssueFilter(effectiveFilter(store.get()), store.get().used);
  const needsAssignees = () =>
    store.get().columns.includes('assignee') || store.get().sort.column === 'assignee';
  const source: ListSource<IssueRow> = {
    async load(cursor, limit) {
      const { search, problem } = parsedFilter();
      if (problem !== undefined) return { rows: [], nextCursor: null };
      const page = await app.call('issues.list', {
        ...search,
        ...(needsAssignees() ? { include: 'assignee' } : {}),
        limit,
        ...(cursor === null ? (isCounted(search) ? { count: 1 as const } : {}) : { cursor }),
      });
      if (!('issues' in page)) throw new Error('Expected a list of issues, got statistics.');
      return { rows: page.issues.map(toIssueRow), nextCursor: page.nextCursor ?? null, total: page.total };
    },
    keyOf: ({ id }) => id,
    timeOf: ({ created }) => created,
    explain: app.explain,
    now: app.now,
  };
  const list = createList<IssueRow>(source);
  const applySort = () => {
    const { sort } = store.get();
    source.arrange = isDefaultSort(sort) ? undefined : (rows) => sortIssues(rows, sort);
  };
  applySort();

  const startCount = latestOnly();
  return {
    list,
    problem: () => parsedFilter().problem,
    loadCounts: () =>
      app.attempt(async () => {
        const isNewest = startCount();
        // An older server has no trend.
        const trend = app.call('issues.trend', { days: trendDays }).catch(() => undefined);
        const found = await app.call('issues.list', { period: 'all' });
        const days = (await trend)?.days;
        if (!isNewest()) return;
        const { statusCounts, severityTotals, categoryCounts, totalIssues } = found as z.infer<
          typeof issueStatisticsSchema
        >;
        store.set({
          used: {
            severities: severityTotals.map(({ severity }) => severity),
            categories: categoryCounts.map(({ category }) => category),
          },
          counts: new Map(statusCounts.map(({ status, count }) => [status, count])),
          total: totalIssues,
          trend: days?.map(({ count }) => count) ?? null,
        });
      }),
    arrange(change) {
      const hadAssignees = needsAssignees();
      store.set(change);
      applySort();
      if (needsAssignees() && !hadAssignees) void list.reload();
      else list.rearrange();
    },
    choose(saved) {
      store.set({ saved, filter: '', part: null, sort: saved.sort, columns: saved.columns });
      applySort();
      void list.reload().then(() => list.toFirst());
    },
  };
}
