import { filterDialog } from '../../dialogs/filter.tsx';
import { createList, typingPauseMs } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import { listPosition } from '../../list/position.ts';
import type { ListSource } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { conversationActions } from './actions.ts';
import { conversationForm } from './form.ts';
import { type ConversationRow, toConversationRow } from './row.ts';
import {
  type ConversationSort,
  conversationOrder,
  conversationSortColumns,
  conversationsSortedBy,
  newestFirst,
} from './sort.ts';
import { conversationSubject } from './subject.ts';
import { createThread } from './thread.ts';
import { type ConversationsState, conversationsView, conversationViews } from './view.tsx';

const filterNote = 'visitor name, e-mail or subject';

export function conversationsScreen(app: App): Screen {
  const store = createStore<ConversationsState>({
    filter: '',
    view: null,
    isUnread: false,
    isReading: false,
    sort: newestFirst,
  });
  const source: ListSource<ConversationRow> = {
    async load(cursor, limit) {
      const { filter, view, isUnread } = store.get();
      const page = await app.call('conversations.list', {
        limit,
        ...(cursor === null && filter === '' ? { count: 1 as const } : {}),
        ...(filter === '' ? {} : { q: filter }),
        ...(view === null ? {} : { status: view }),
        ...(isUnread ? { unread: true } : {}),
        ...(cursor === null ? {} : { cursor }),
      });
      return {
        rows: page.conversations.map(toConversationRow),
        nextCursor: page.nextCursor ?? null,
        total: page.total,
      };
    },
    keyOf: ({ id }) => id,
    timeOf: ({ updated_at }) => updated_at,
    explain: app.explain,
    now: app.now,
  };
  const list = createList<ConversationRow>(source);
  const sortBy = (sort: ConversationSort) => {
    store.set({ sort });
    source.arrange = conversationOrder(sort);
    list.rearrange();
  };
  const withListed = (work: (conversation: ConversationRow) => void) =>
    void withSelectedRow(app, list, 'No conversation selected.', work);
  const thread = createThread(app);
  const refresh = async () => {
    await Promise.all([list.refresh(), thread.refresh(), actions.refresh()]);
  };
  const actions = conversationActions(app, thread, {
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
  const form = conversationForm(app, async () => {
    await list.refresh();
    list.toFirst();
  });

  const filterBy = (change: Partial<ConversationsState>, delayMs = 0) => {
    store.set(change);
    void list.reload(delayMs);
  };
  const showThread = () => {
    // A thread that the user reads stays open, even if its row leaves the list.
    if (!store.get().isReading) thread.show(list.current()?.id ?? null);
  };
  list.store.subscribe(showThread);

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
    leftovers: actions.leftovers,
    unsaved: () => [
      ...(form.hasContent() ? ['The new conversation is not saved.'] : []),
      ...actions.unsaved(),
    ],
    back() {
      const { isReading, filter, isUnread, view } = store.get();
      if (isReading) {
        store.set({ isReading: false });
        showThread();
      } else if (filter !== '') filterBy({ filter: '' });
      else if (isUnread) filterBy({ isUnread: false });
      else if (view !== null) filterBy({ view: null });
      else return false;
      return true;
    },
    find(filter) {
      store.set({ isReading: false });
      // No conversation is searched for by this word alone: the service has a filter for it.
      const isUnread = filter === 'unread';
      filterBy({ filter: isUnread ? '' : filter, isUnread, view: null });
    },
    showRecord(id) {
      store.set({ isReading: true });
      thread.show(id);
      list.toKey(id);
    },
    subject() {
      const { conversation } = thread.store.get();
      return conversationSubject(app, (store.get().isReading ? conversation : null) ?? list.current());
    },
    perform(action) {
      const { isReading, filter, view, isUnread, sort } = store.get();
      if (actions.perform(action)) return;
      const column = sortColumnOf(action);
      if (column !== undefined) return sortBy(conversationsSortedBy(column, sort));
      if (moveList(isReading ? thread : list, action)) return;
      switch (action) {
        case 'conversations.open':
          return withListed(() => store.set({ isReading: true }));
        case 'thread.close':
          return void screen.back();
        case 'conversations.unread':
          return filterBy({ isUnread: !isUnread });
        case 'conversations.view': {
          const next = (conversationViews.indexOf(view) + 1) % conversationViews.length;
          return filterBy({ view: conversationViews[next] ?? null });
        }
        case 'conversations.create':
          return app.open(form);
        case 'search.open': {
          const onChange = (text: string) => filterBy({ filter: text }, typingPauseMs);
          return app.open(filterDialog(app, { text: filter, note: filterNote, onChange }));
        }
      }
    },
    View: conversationsView(app, {
      store,
      list,
      thread,
      onView: (view) => filterBy({ view }),
      onRead: () => withListed(() => store.set({ isReading: true })),
      onSort(heading) {
        const column = conversationSortColumns.find((each) => each === heading);
        if (column !== undefined) sortBy(conversationsSortedBy(column, store.get().sort));
      },
    }),
  };
  return screen;
}

/** Returns the column that an action such as `conversations.sortAge` sorts by. */
function sortColumnOf(action: string): ConversationSort['column'] | undefined {
  const [, name = ''] = /^conversations\.sort([A-Z][a-z]+)$/.exec(action) ?? [];
  return conversationSortColumns.find((column) => column === name.toLowerCase());
}
