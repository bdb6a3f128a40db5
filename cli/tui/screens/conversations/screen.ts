import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
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
import { nextPart, wholePart } from '../views/parts.ts';
import { startView } from '../views/view-store.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { conversationActions } from './actions.ts';
import { conversationKind } from './conversation-kind.ts';
import { createConversationList } from './conversation-list.ts';
import { conversationFilterNote, parseConversationFilter } from './filter.ts';
import { conversationForm } from './form.ts';
import type { ConversationRow } from './row.ts';
import { conversationSorting } from './sort.ts';
import { type ConversationsState, startState, wholeFilter } from './state.ts';
import { conversationSubject } from './subject.ts';
import { createThread } from './thread.ts';
import { conversationsView } from './view.tsx';
import { conversationViews } from './views.ts';

const noKeys: ReadonlySet<string> = new Set();

export function conversationsScreen(app: App): Screen {
  const store = createStore(startState(startView(app.preferences.get(), conversationViews)));
  const { list, problem, arrange, choose } = createConversationList(app, store);
  const selection = createSelection(store, list, conversationKind.keyOf);
  const thread = createThread(app);
  const withListed = (work: (conversation: ConversationRow) => void) =>
    void withSelectedRow(app, list, 'No conversation selected.', work);
  const refresh = async () => {
    await Promise.all([list.refresh(), thread.refresh(), actions.refresh()]);
  };
  const actions = conversationActions(app, thread, {
    list,
    // Who reads a conversation changes only that one.
    selection: { ...selection, keys: () => (store.get().isReading ? noKeys : selection.keys()) },
    withCurrent(work) {
      const { conversation } = thread.store.get();
      if (store.get().isReading && conversation !== null) work(conversation);
      else withListed(work);
    },
    onChanged: refresh,
    onDeleted(id) {
      actions.orphan(id);
      list.remove(id);
      store.set({ isReading: false });
    },
  });
  const arrangement = createArrangement(app, {
    scope: 'conversations',
    kind: conversationViews,
    sorting: conversationSorting,
    store,
    arrange,
    filter: () => wholeFilter(store.get()),
    onChoose(view) {
      selection.clear();
      store.set({ isUnread: false });
      choose(view);
    },
  });
  const form = conversationForm(app, async () => {
    await list.refresh();
    list.toFirst();
  });

  const filterBy = (change: Partial<ConversationsState>, delayMs = 0) => {
    store.set(change);
    void list.reload(delayMs);
  };
  const setPart = (part: string | null) => {
    selection.clear();
    filterBy({ part });
  };
  const showThread = () => {
    // A thread that the user reads stays open, even if its row leaves the list.
    if (!store.get().isReading) thread.show(list.current()?.id ?? null);
  };
  list.store.subscribe(() => {
    showThread();
    selection.follow();
  });
  const read = () => withListed(() => store.set({ isReading: true }));
  const openFilter = () =>
    app.open(
      filterDialog(app, {
        text: store.get().filter,
        note: conversationFilterNote,
        problemOf: (text) => parseConversationFilter(text).problem,
        onChange: (filter) => filterBy({ filter }, typingPauseMs),
      }),
    );

  const screen: Screen = {
    id: 'conversations',
    title: 'Conversations',
    position: listPosition(list),
    chain: () => (store.get().isReading ? 'thread' : 'conversations'),
    subscribe: store.subscribe,
    isAffectedBy: (type) => /^(conversations?|message|link|comment)\.|^issues\.deleted$/.test(type),
    refresh,
    receive({ type, id }) {
      if (type === 'conversation.deleted' && id !== null) actions.orphan(id);
    },
    drafts: () => [...draftsOf(form, 'new conversation'), ...actions.drafts()],
    unfinished: actions.unfinished,
    undecided: actions.undecided,
    back() {
      const { isReading, selected, filter, isUnread, part } = store.get();
      if (actions.stop()) return true;
      if (isReading) {
        store.set({ isReading: false });
        showThread();
      } else if (selection.endRange()) return true;
      else if (selected.size > 0) selection.clear();
      else if (filter !== '') filterBy({ filter: '' });
      else if (isUnread) filterBy({ isUnread: false });
      else if (part !== null) setPart(null);
      else return false;
      return true;
    },
    find(filter) {
      selection.clear();
      // No conversation is searched for by this word alone: the service has a filter for it.
      const isUnread = filter === 'unread';
      store.set({ isReading: false });
      filterBy({ filter: isUnread ? '' : filter, isUnread, part: isUnread ? wholePart(store.get()) : null });
    },
    showRecord(id) {
      store.set({ isReading: true });
      thread.show(id);
      list.toKey(id);
    },
    nameOf(id) {
      const { conversation } = thread.store.get();
      const known = [...list.store.get().rows, ...(conversation === null ? [] : [conversation])];
      return known.find((each) => each.id === id)?.visitor_name;
    },
    subject() {
      const { conversation } = thread.store.get();
      return conversationSubject(app, (store.get().isReading ? conversation : null) ?? list.current());
    },
    perform(action) {
      const state = store.get();
      if (actions.perform(action) || arrangement.perform(action)) return;
      if (moveList(state.isReading ? thread : list, action)) return;
      switch (action) {
        case 'conversations.open':
          return read();
        case 'thread.close':
          return void screen.back();
        case 'conversations.unread':
          return filterBy({ isUnread: !state.isUnread });
        case 'conversations.view':
          return setPart(nextPart(conversationStatuses, state));
        case 'conversations.select':
          return withListed((row) => {
            selection.toggle(row);
            list.move(1);
          });
        case 'conversations.selectAll':
          return state.selected.size > 0 ? selection.clear() : withListed(selection.all);
        case 'conversations.range':
          return withListed(selection.toggleRange);
        case 'conversations.create':
          return app.open(form);
        case 'search.open':
          return openFilter();
      }
    },
    View: conversationsView(app, {
      store,
      list,
      thread,
      problem,
      onPart: setPart,
      onRead: read,
      onSort: arrangement.sortByColumn,
    }),
  };
  return screen;
}
