import type { z } from 'zod';
import type { issueStatisticsSchema } from '../../../../src/contract/schemas/issues.ts';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import { counted } from '../../../output/number.ts';
import type { App } from '../../app.ts';
import { choiceDialog } from '../../dialogs/choice.tsx';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createList, typingPause } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Screen } from '../../screen-types.ts';
import { createStore } from '../../store.ts';
import { statusPaint } from '../../theme.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { issueDetail } from './detail.ts';
import { filterNote, parseFilter } from './filter.ts';
import { issueForm } from './form.ts';
import { arrangeIssues, type Sort, sortColumns } from './order.ts';
import { type IssueRow, toRow } from './row.ts';
import { type IssuesState, issuesView, issueViews } from './view.tsx';

export function issuesScreen(app: App): Screen {
  const store = createStore<IssuesState>({
    filter: '',
    view: null,
    sort: { column: 'created', isReversed: false },
    selected: new Set(),
    counts: null,
    total: 0,
    detail: null,
    isOpen: false,
  });
  const source = {
    async load(cursor: string | null, limit: number) {
      const { filter, view } = store.get();
      const asked = { ...parseFilter(filter), ...(view === null ? {} : { status: view }) };
      const page = await app.call('issues.list', { ...asked, limit, ...(cursor === null ? {} : { cursor }) });
      if (!('issues' in page)) throw new Error('The list of issues was asked for.');
      return { rows: page.issues.map(toRow), nextCursor: page.nextCursor ?? null };
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

  const beginCount = latestOnly();
  const loadCounts = () =>
    app.attempt(async () => {
      const isNewest = beginCount();
      const found = await app.call('issues.list', { period: 'all' });
      if (!isNewest()) return;
      const { statusCounts, totalIssues } = found as z.infer<typeof issueStatisticsSchema>;
      store.set({
        counts: new Map(statusCounts.map(({ status, count }) => [status, count])),
        total: totalIssues,
      });
    });
  const follow = () => {
    const row = list.current();
    if (store.get().isOpen && row !== undefined) details.show(row.id);
  };
  list.store.subscribe(follow);
  const sortBy = (sort: Sort) => {
    store.set({ sort });
    const isNatural = sort.column === 'created' && !sort.isReversed;
    source.arrange = isNatural ? undefined : (rows) => arrangeIssues(rows, sort);
    list.rearrange();
  };
  const changeView = (view: string | null) => {
    store.set({ view, selected: new Set() });
    void list.reload();
  };
  const narrow = (filter: string, pause = 0) => {
    store.set({ filter });
    void list.reload(pause);
  };
  const setOpen = (isOpen: boolean) => {
    store.set({ isOpen });
    if (isOpen) follow();
    else details.leave();
  };
  const refresh = async () => {
    const detail = store.get().isOpen ? details.refresh() : undefined;
    await Promise.all([list.refresh(), loadCounts(), detail]);
  };
  const withCurrent = (work: (row: IssueRow) => void) =>
    void withSelectedRow(app, list, 'There is no issue here.', work);
  const changeStatus = (current: IssueRow) => {
    const { selected } = store.get();
    const rows = selected.size === 0 ? [current] : list.store.get().rows.filter(({ id }) => selected.has(id));
    const [first] = rows;
    if (first === undefined) return app.say('The selected issues are not among these.', 'note');
    const name = rows.length === 1 ? `#${first.id} ${first.title}` : counted(rows.length, 'issue');
    const shared = rows.every(({ status }) => status === first.status) ? first.status : '';
    app.open(
      choiceDialog(app, {
        title: `Status of ${name}`,
        options: issueStatuses,
        current: shared,
        paint: statusPaint,
        take: (status) => setStatus(rows, status as IssueRow['status']),
      }),
    );
  };
  const setStatus = async (rows: readonly IssueRow[], status: IssueRow['status']) => {
    const done = new Set<number>();
    try {
      for (const { id } of rows) {
        await app.call('issues.changeStatus', { id, status });
        done.add(id);
      }
    } catch (error) {
      // What was not changed stays selected, to be tried again.
      throw new Error(`${done.size} of ${rows.length} changed. ${app.explain(error)}`, { cause: error });
    } finally {
      list.amend((row) => (done.has(row.id) ? { ...row, status } : row));
      store.set({ selected: new Set([...store.get().selected].filter((id) => !done.has(id))) });
    }
    app.say(
      rows.length === 1 ? `#${rows[0]?.id} is ${status}.` : `${counted(rows.length, 'issue')} are ${status}.`,
    );
    await refresh();
  };

  const screen: Screen = {
    id: 'issues',
    title: 'Issues',
    chain: () => 'issues',
    minds: (type) => /^(issue|link)\./.test(type),
    refresh,
    unsent: () => (form.hasContent() ? ['The new issue is not saved.'] : []),
    back() {
      const { isOpen, selected, filter, view } = store.get();
      if (isOpen) setOpen(false);
      else if (selected.size > 0) store.set({ selected: new Set() });
      else if (filter !== '') narrow('');
      else if (view !== null) changeView(null);
      else return false;
      return true;
    },
    perform(action) {
      const { sort, view, isOpen } = store.get();
      if (moveList(list, action)) return;
      switch (action) {
        case 'search.open':
          return app.open(
            filterDialog(app, {
              text: store.get().filter,
              note: filterNote,
              change: (filter) => narrow(filter, typingPause),
            }),
          );
        case 'issues.open':
          return setOpen(!isOpen);
        case 'issues.scrollDown':
          return details.scroll(3);
        case 'issues.scrollUp':
          return details.scroll(-3);
        case 'issues.status':
          return withCurrent(changeStatus);
        case 'issues.create':
          return app.open(form);
        case 'issues.select':
          return withCurrent(({ id }) => {
            const next = new Set(store.get().selected);
            if (!next.delete(id)) next.add(id);
            store.set({ selected: next });
            list.move(1);
          });
        case 'issues.selectAll':
          if (store.get().selected.size > 0) return store.set({ selected: new Set() });
          return withCurrent(() =>
            store.set({ selected: new Set(list.store.get().rows.map(({ id }) => id)) }),
          );
        case 'issues.view':
          return changeView(issueViews[(issueViews.indexOf(view) + 1) % issueViews.length] ?? null);
        case 'issues.sort': {
          const at = sortColumns.indexOf(sort.column);
          return sortBy({
            column: sortColumns[(at + 1) % sortColumns.length] ?? 'created',
            isReversed: false,
          });
        }
        case 'issues.reverse':
          return sortBy({ ...sort, isReversed: !sort.isReversed });
      }
    },
    View: issuesView(app, { store, list, details }),
  };
  return screen;
}
