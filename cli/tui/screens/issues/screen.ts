import { filterDialog } from '../../dialogs/filter.tsx';
import { typingPauseMs } from '../../list/list.ts';
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
import { columnsDialog } from './columns-dialog.tsx';
import { issueDetail } from './detail.ts';
import { issueEditors } from './edit-form.ts';
import { issueFilterNote, parseIssueFilter } from './filter.ts';
import { issueForm } from './form.ts';
import { createIssueList } from './issue-list.ts';
import type { IssueRow } from './row.ts';
import type { IssueView } from './saved-view.ts';
import { issueSelection } from './selection.ts';
import { nextSort, type Sort, sortColumns, sortedBy } from './sort.ts';
import { allIssues, effectiveFilter, type IssuesState, partsOf, shownPart, startState } from './state.ts';
import { issueSubject } from './subject.ts';
import { issuesView } from './view.tsx';
import { createViewStore } from './view-store.ts';
import { viewsDialog } from './views-dialog.tsx';

export function issuesScreen(app: App): Screen {
  const store = createStore<IssuesState>(startState(app.startView));
  const views = createViewStore(app.preferences);
  const { list, problem, loadCounts, arrange, choose } = createIssueList(app, store);
  const details = issueDetail(app, (detail) => store.set({ detail }));
  const form = issueForm(app, async () => {
    await list.refresh();
    list.toFirst();
  });

  const showDetails = () => {
    const row = list.current();
    if (store.get().isOpen && row !== undefined) details.show(row.id);
  };
  const selection = issueSelection(store, list);
  list.store.subscribe(() => {
    showDetails();
    selection.follow();
  });
  const sortBy = (sort: Sort) => arrange({ sort });
  const setPart = (part: string | null) => {
    selection.clear();
    store.set({ part });
    void list.reload();
  };
  const chooseView = (saved: IssueView) => {
    selection.clear();
    choose(saved);
  };
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
        onChoose: chooseView,
        onColumns: openColumns,
      }),
    );
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
  const shownIssue = (id: number) => {
    const { detail, isOpen } = store.get();
    return isOpen && detail?.id === id ? (detail.issue ?? undefined) : undefined;
  };
  const toggleSelected = (row: IssueRow) => {
    selection.toggle(row);
    list.move(1);
  };
  const nextPart = () => {
    const state = store.get();
    const parts = partsOf(state);
    const next = parts.indexOf(shownPart(state)) + 1;
    setPart(parts[next % parts.length] ?? null);
  };
  const selectedRows = () => {
    const { selected } = store.get();
    const current = list.current();
    if (selected.size === 0) return current === undefined ? [] : [current];
    return list.store.get().shown.filter(({ id }) => selected.has(id));
  };

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
      const { isOpen, selected, filter, part } = store.get();
      if (changes.stop() || selection.endRange()) return true;
      if (isOpen) setOpen(false);
      else if (selected.size > 0) selection.clear();
      else if (filter !== '') setFilter('');
      else if (part !== null) setPart(null);
      else return false;
      return true;
    },
    find(filter) {
      selection.clear();
      store.set({ part: filter === '' ? allIssues : null });
      setFilter(filter);
    },
    showRecord(id) {
      selection.clear();
      store.set({ filter: `id:${id}`, part: null });
      void list.reload().then(() => {
        list.toFirst();
        setOpen(true);
      });
    },
    subject: () => issueSubject(app, selectedRows()),
    perform(action) {
      const { filter, sort, isOpen, selected } = store.get();
      if (moveList(list, action)) return;
      const column = sortColumnOf(action);
      if (column !== undefined) return sortBy(sortedBy(column, sort));
      switch (action) {
        case 'search.open': {
          const onChange = (text: string) => setFilter(text, typingPauseMs);
          const problemOf = (text: string) => parseIssueFilter(text, store.get().used).problem;
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
          return withCurrent((row) => askIssueAssignee(app, changes, row));
        case 'issues.edit':
          return withCurrent(({ id }) => editors.open(id, shownIssue(id)));
        case 'issues.external':
          return withCurrent(({ id }) => editors.open(id, shownIssue(id), true));
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
          return selected.size > 0 ? selection.clear() : withCurrent(selection.all);
        case 'issues.range':
          return withCurrent(selection.toggleRange);
        case 'issues.view':
          return nextPart();
        case 'issues.views':
          return openViews();
        case 'issues.columns':
          return openColumns();
        case 'issues.sort':
          return sortBy(nextSort(sort));
        case 'issues.reverse':
          return sortBy({ ...sort, isReversed: !sort.isReversed });
      }
    },
    View: issuesView(app, {
      store,
      list,
      problem,
      onPart: setPart,
      onOpen: () => setOpen(!store.get().isOpen),
      onSort(heading) {
        const column = sortColumns.find((each) => each === heading);
        if (column !== undefined) sortBy(sortedBy(column, store.get().sort));
      },
      onScroll: details.scroll,
    }),
  };
  return screen;
}

/** Returns the column that an action such as `issues.sortTitle` sorts by. */
function sortColumnOf(action: string): Sort['column'] | undefined {
  const [, name = ''] = /^issues\.sort([A-Z][a-z]+)$/.exec(action) ?? [];
  return sortColumns.find((column) => column === name.toLowerCase());
}
