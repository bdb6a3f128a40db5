import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../../../src/contract/schemas/issues.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createList, typingPauseMs } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import { listPosition } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { screenComments } from '../comments/comments.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { askIssueAssignee } from './assign.ts';
import { issueChanges } from './change-issues.ts';
import { askStatus } from './change-status.ts';
import { issueDetail } from './detail.ts';
import { issueEditors } from './edit-form.ts';
import { isCounted, issueFilterNote, parseIssueFilter } from './filter.ts';
import { issueForm } from './form.ts';
import { type IssueRow, toIssueRow } from './row.ts';
import { defaultSort, isDefaultSort, nextSort, type Sort, sortIssues } from './sort.ts';
import { type IssuesState, issuesView, issueViews } from './view.tsx';

/** How many days the trend above the list has. */
const trendDays = 14;

export function issuesScreen(app: App): Screen {
  const store = createStore<IssuesState>({
    filter: '',
    view: null,
    sort: defaultSort,
    selected: new Set(),
    counts: null,
    total: 0,
    trend: null,
    used: null,
    detail: null,
    isOpen: false,
  });
  const parsedFilter = (text = store.get().filter) => parseIssueFilter(text, store.get().used);
  const source = {
    async load(cursor: string | null, limit: number) {
      const { view } = store.get();
      const { search, problem } = parsedFilter();
      if (problem !== undefined) return { rows: [], nextCursor: null };
      const page = await app.call('issues.list', {
        ...search,
        ...(view === null ? {} : { status: view }),
        limit,
        ...(cursor === null ? (isCounted(search, view) ? { count: 1 as const } : {}) : { cursor }),
      });
      if (!('issues' in page)) throw new Error('Expected a list of issues, got statistics.');
      return { rows: page.issues.map(toIssueRow), nextCursor: page.nextCursor ?? null, total: page.total };
    },
    keyOf: ({ id }: IssueRow) => id,
    timeOf: ({ created }: IssueRow) => created,
    explain: app.explain,
    now: app.now,
    arrange: undefined as ((rows: readonly IssueRow[]) => readonly IssueRow[]) | undefined,
  };
  const list = createList<IssueRow>(source);
  const details = issueDetail(app, (detail) => store.set({ detail }));
  const form = issueForm(app, async () => {
    await list.refresh();
    list.toFirst();
  });

  const startCount = latestOnly();
  const loadCounts = () =>
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
    });
  const showDetails = () => {
    const row = list.current();
    if (store.get().isOpen && row !== undefined) details.show(row.id);
  };
  list.store.subscribe(showDetails);
  const sortBy = (sort: Sort) => {
    store.set({ sort });
    source.arrange = isDefaultSort(sort) ? undefined : (rows) => sortIssues(rows, sort);
    list.rearrange();
  };
  const setView = (view: string | null) => {
    store.set({ view, selected: new Set() });
    void list.reload();
  };
  const setFilter = (filter: string, delayMs = 0) => {
    store.set({ filter });
    void list.reload(delayMs);
  };
  const setOpen = (isOpen: boolean) => {
    store.set({ isOpen });
    if (isOpen) showDetails();
    else details.hide();
  };
  const refresh = async () => {
    const detail = store.get().isOpen ? details.refresh() : undefined;
    await Promise.all([list.refresh(), loadCounts(), detail, comments.refresh()]);
  };
  const withCurrent = (work: (row: IssueRow) => void) =>
    void withSelectedRow(app, list, 'No issue selected.', work);
  const changes = issueChanges(app, { store, list, onChanged: refresh });
  const comments = screenComments(app, async () => {
    if (store.get().isOpen) await details.refresh();
  });
  const editors = issueEditors(app, refresh);
  const toggleSelected = ({ id }: IssueRow) => {
    const selected = new Set(store.get().selected);
    if (!selected.delete(id)) selected.add(id);
    store.set({ selected });
    list.move(1);
  };
  const selectAll = () => store.set({ selected: new Set(list.store.get().rows.map(({ id }) => id)) });

  const screen: Screen = {
    id: 'issues',
    title: 'Issues',
    position: listPosition(list),
    chain: () => 'issues',
    isAffectedBy: (type) => /^(issues?|link|comment)\./.test(type),
    refresh,
    leftovers: (isForced) =>
      isForced && form.hasContent() ? [{ title: 'new issue', text: form.written() }] : [],
    unsaved: () => [
      ...(form.hasContent() ? ['The new issue is not saved.'] : []),
      ...editors.unsaved(),
      ...comments.unsaved(),
      ...changes.unfinished(),
    ],
    back() {
      const { isOpen, selected, filter, view } = store.get();
      if (changes.stop()) return true;
      if (isOpen) setOpen(false);
      else if (selected.size > 0) store.set({ selected: new Set() });
      else if (filter !== '') setFilter('');
      else if (view !== null) setView(null);
      else return false;
      return true;
    },
    find(filter) {
      store.set({ view: null, selected: new Set() });
      setFilter(filter);
    },
    perform(action) {
      const { filter, sort, view, isOpen, selected } = store.get();
      if (moveList(list, action)) return;
      switch (action) {
        case 'search.open': {
          const onChange = (text: string) => setFilter(text, typingPauseMs);
          const problemOf = (text: string) => parsedFilter(text).problem;
          return app.open(filterDialog(app, { text: filter, note: issueFilterNote, problemOf, onChange }));
        }
        case 'issues.open':
          return setOpen(!isOpen);
        case 'issues.scrollDown':
          return details.scroll(3);
        case 'issues.scrollUp':
          return details.scroll(-3);
        case 'issues.status':
          return withCurrent((row) => askStatus(app, changes, row));
        case 'issues.assign':
          return withCurrent((row) => void app.attempt(() => askIssueAssignee(app, changes, row)));
        case 'issues.edit':
          return withCurrent(({ id }) => void app.attempt(() => editors.open(id)));
        case 'issues.external':
          return withCurrent(({ id }) => void app.attempt(() => editors.open(id, true)));
        case 'issues.comment':
          return withCurrent(({ id }) => comments.write({ issue_id: id }, `#${id}`));
        case 'issues.comments':
          return withCurrent(({ id }) => comments.show({ issue_id: id }, `#${id}`));
        case 'issues.undo':
          return void app.attempt(changes.undo);
        case 'issues.create':
          return app.open(form);
        case 'issues.select':
          return withCurrent(toggleSelected);
        case 'issues.selectAll':
          return selected.size > 0 ? store.set({ selected: new Set() }) : withCurrent(selectAll);
        case 'issues.view':
          return setView(issueViews[(issueViews.indexOf(view) + 1) % issueViews.length] ?? null);
        case 'issues.sort':
          return sortBy(nextSort(sort));
        case 'issues.reverse':
          return sortBy({ ...sort, isReversed: !sort.isReversed });
      }
    },
    View: issuesView(app, { store, list, problem: () => parsedFilter().problem }),
  };
  return screen;
}
