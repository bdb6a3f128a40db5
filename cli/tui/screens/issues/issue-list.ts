import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../../../src/contract/schemas/issues.ts';
import { latestOnly } from '../../../../src/shared/waiting.ts';
import type { ListSource } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { type ArrangedList, createArrangedList, needsAssignees } from '../views/arranged-list.ts';
import { effectiveFilter } from '../views/parts.ts';
import { isCounted, parseIssueFilter } from './filter.ts';
import { type IssueRow, toIssueRow } from './row.ts';
import { issueSorting } from './sort.ts';
import type { IssuesState } from './state.ts';

/** The issues that the view, the part and the filter select, in their order. */
export interface IssueList extends ArrangedList<IssueRow> {
  /** Returns why no issue can match, if none can. */
  problem(): string | undefined;
  loadCounts(): Promise<void>;
}

/** How many days the trend above the list has. */
const trendDays = 14;

export function createIssueList(app: App, store: Store<IssuesState>): IssueList {
  const parsedFilter = () => parseIssueFilter(effectiveFilter(store.get()), store.get().used);
  const source: ListSource<IssueRow> = {
    async load(cursor, limit) {
      const { search, problem } = parsedFilter();
      if (problem !== undefined) return { rows: [], nextCursor: null };
      const page = await app.call('issues.list', {
        ...search,
        ...(needsAssignees(store.get()) ? { include: 'assignee' } : {}),
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
  const startCount = latestOnly();
  return {
    ...createArrangedList(store, source, issueSorting),
    problem: () => parsedFilter().problem,
    async loadCounts() {
      try {
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
      } catch (error) {
        // The banner tells of a lost connection.
        if (app.store.get().connection.state === 'up') app.showMessage(app.explain(error), 'failed');
      }
    },
  };
}
