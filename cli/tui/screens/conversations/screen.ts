import type { App } from '../../app.ts';
import { filterDialog } from '../../dialogs/filter.tsx';
import { createForm } from '../../dialogs/form.tsx';
import { createList, typingPause } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Screen } from '../../screen-types.ts';
import { createStore } from '../../store.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { conversationActions } from './actions.ts';
import { createThread } from './thread.ts';
import { type Conversation, type ConversationsState, conversationsView, conversationViews } from './view.tsx';

/** Of a last message, what a list can show of it. */
const previewLength = 300;

export function conversationsScreen(app: App): Screen {
  const store = createStore<ConversationsState>({
    filter: '',
    view: null,
    isUnread: false,
    isReading: false,
  });
  const list = createList<Conversation>({
    async load(cursor, limit) {
      const { filter, view, isUnread } = store.get();
      const page = await app.call('conversations.list', {
        limit,
        ...(filter === '' ? {} : { q: filter }),
        ...(view === null ? {} : { status: view }),
        ...(isUnread ? { unread: true } : {}),
        ...(cursor === null ? {} : { cursor }),
      });
      const rows = page.conversations.map((row) => ({
        ...row,
        last_message: row.last_message?.slice(0, previewLength) ?? null,
      }));
      return { rows, nextCursor: page.nextCursor ?? null };
    },
    keyOf: ({ id }) => id,
    timeOf: ({ updated_at }) => updated_at,
    explain: app.explain,
    now: app.now,
  });
  const withCurrent = (work: (conversation: Conversation) => void) =>
    void withSelectedRow(app, list, 'There is no conversation here.', work);
  const thread = createThread(app);
  const talk = conversationActions(app, thread, {
    withChosen(work) {
      const { conversation } = thread.store.get();
      if (store.get().isReading && conversation !== null) work(conversation);
      else withCurrent(work);
    },
    async changed() {
      await Promise.all([list.refresh(), thread.refresh()]);
    },
    gone(id) {
      list.remove(id);
      store.set({ isReading: false });
    },
  });
  const form = createForm(app, {
    title: () => 'Open a conversation',
    fields: [
      { name: 'visitor_name', label: 'Visitor', kind: 'text', note: 'the name of the visitor' },
      { name: 'visitor_email', label: 'E-mail', kind: 'text', note: 'ada@example.com' },
      { name: 'subject', label: 'Subject', kind: 'text' },
      { name: 'initial_message', label: 'Message', kind: 'lines', note: 'what the visitor said first' },
    ],
    async send({ visitor_name = '', visitor_email = '', ...others }) {
      await app.call('conversations.create', { visitor_name, visitor_email, ...others });
      app.say(`Opened a conversation with ${visitor_name}.`);
      return async () => {
        await list.refresh();
        list.toFirst();
      };
    },
  });

  const narrow = (change: Partial<ConversationsState>, pause = 0) => {
    store.set(change);
    void list.reload(pause);
  };
  const follow = () => {
    // While somebody reads, the thread stays, whatever happens to the list.
    if (!store.get().isReading) thread.show(list.current()?.id ?? null);
  };
  list.store.subscribe(follow);

  const screen: Screen = {
    id: 'conversations',
    title: 'Conversations',
    chain: () => (store.get().isReading ? 'thread' : 'conversations'),
    subscribe: store.subscribe,
    minds: (type) => /^(conversation|message|link)\./.test(type),
    async refresh() {
      await Promise.all([list.refresh(), thread.refresh()]);
    },
    unsent: () => [...(form.hasContent() ? ['The new conversation is not saved.'] : []), ...talk.unsent()],
    back() {
      const { isReading, filter, isUnread, view } = store.get();
      if (isReading) {
        store.set({ isReading: false });
        follow();
      } else if (filter !== '') narrow({ filter: '' });
      else if (isUnread) narrow({ isUnread: false });
      else if (view !== null) narrow({ view: null });
      else return false;
      return true;
    },
    perform(action) {
      const { isReading, filter, view, isUnread } = store.get();
      if (talk.perform(action)) return;
      if (moveList(isReading ? thread : list, action)) return;
      switch (action) {
        case 'conversations.open':
          return withCurrent(() => store.set({ isReading: true }));
        case 'thread.close':
          return void screen.back();
        case 'conversations.unread':
          return narrow({ isUnread: !isUnread });
        case 'conversations.view':
          return narrow({
            view: conversationViews[(conversationViews.indexOf(view) + 1) % conversationViews.length] ?? null,
          });
        case 'conversations.create':
          return app.open(form);
        case 'search.open':
          return app.open(
            filterDialog(app, {
              text: filter,
              note: "a visitor's name or e-mail, or a subject",
              change: (text) => narrow({ filter: text }, typingPause),
            }),
          );
      }
    },
    View: conversationsView(app, { store, list, thread }),
  };
  return screen;
}
