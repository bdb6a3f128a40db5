import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { filterDialog } from '../../dialogs/filter.tsx';
import { typingPauseMs } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import { listPosition } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { createSelection } from '../rows/selection.ts';
import { createArrangement } from '../views/arrangement.ts';
import { effectiveFilter, nextPart, wholePart } from '../views/parts.ts';
import { issueDetail } from './detail.ts';
import { issueFilterNote, parseIssueFilter } from './filter.ts';
import { issueForm } from './form.ts';
import { issueKind } from './issue-kind.ts';
import { createIssueList } from './issue-list.ts';
import { issueRowActions } from './row-actions.ts';
import { issueSorting } from './sort.ts';
import { type IssuesState, startState } from './state.ts';
import { issueSubject } from './subject.ts';
import { issuesView } from './view.tsx';
import { issueViews } from './views.ts';

export function issuesScreen(app: App): Screen {
  const store = createStore<IssuesState>(startState(app.startView));
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
  const selection = createSelection(store, list, issueKind.keyOf);
  list.store.subscribe(() => {
    showDetails();
    selection.follow();
  });
  const setPart = (part: string | null) => {
    selection.clear();
    store.set({ part });
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
  const refreshDetails = async () => {
    if (store.get().isOpen) await details.refresh();
  };
  const refresh = async () => {
    await Promise.all([list.refresh(), loadCounts(), refreshDetails(), rowActions.refreshComments()]);
  };
  const rowActions = issueRowActions(app, { store, list, selection, refreshDetails, onChanged: refresh });
  const arrangement = createArrangement(app, {
    scope: 'issues',
    kind: issueViews,
    sorting: issueSorting,
    store,
    arrange,
    filter: () => effectiveFilter(store.get()),
    onChoose(view) {
      selection.clear();
      choose(view);
    },
  });
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
    drafts: () => [...draftsOf(form, 'new issue'), ...rowActions.drafts()],
    unfinished: rowActions.unfinished,
    back() {
      const { isOpen, selected, filter, part } = store.get();
      if (rowActions.stop() || selection.endRange()) return true;
      if (isOpen) setOpen(false);
      else if (selected.size > 0) selection.clear();
      else if (filter !== '') setFilter('');
      else if (part !== null) setPart(null);
      else return false;
      return true;
    },
    find(filter) {
      selection.clear();
      store.set({ part: filter === '' ? wholePart(store.get()) : null });
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
      const { filter, isOpen } = store.get();
      if (moveList(list, action) || arrangement.perform(action)) return;
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
        case 'issues.create':
          return app.open(form);
        case 'issues.view':
          return setPart(nextPart(issueStatuses, store.get()));
        default:
          return rowActions.perform(action);
      }
    },
    View: issuesView(app, {
      store,
      list,
      problem,
      onPart: setPart,
      onOpen: () => setOpen(!store.get().isOpen),
      onSort: arrangement.sortByColumn,
      onScroll: details.scroll,
    }),
  };
  return screen;
}
