import { Box } from 'ink';
import type { z } from 'zod';
import type { conversationSchema } from '../../../src/contract/conversations.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { Table, type TableColumn } from '../components/table.tsx';
import { filterDialog } from '../dialogs/filter.tsx';
import { createForm } from '../dialogs/form.tsx';
import type { Screen, Size } from '../layer.ts';
import { createList, moveList } from '../list/list.ts';
import { createStore, useStore } from '../store.ts';
import { age, counted } from '../text/age.ts';
import { apartOr, cut } from '../text/cells.ts';
import { picker, statusPaint, theme } from '../theme.ts';
import { talkActions } from './talk.ts';
import { createThread } from './thread.ts';
import { threadLines } from './thread-lines.ts';

export type Conversation = z.infer<typeof conversationSchema>;

interface State {
  readonly filter: string;
  readonly view: string | null;
  readonly isUnread: boolean;
  /** The thread is read; otherwise the list is gone through. */
  readonly isReading: boolean;
}

const views: readonly (string | null)[] = [null, ...conversationStatuses];
const filterPause = 120;
const wide = 120;
/** Of a last message, what a list can show of it. */
const previewLength = 300;

export function conversationsScreen(app: App): Screen {
  const store = createStore<State>({ filter: '', view: null, isUnread: false, isReading: false });
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
    isBehind: (row, other) =>
      row.updated_at < other.updated_at || (row.updated_at === other.updated_at && row.id < other.id),
    explain: app.explain,
    now: app.now,
  });
  const thread = createThread(app);
  const talk = talkActions(app, thread, {
    chosen: () =>
      store.get().isReading ? (thread.store.get().conversation ?? list.current()) : list.current(),
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

  let pause: NodeJS.Timeout | undefined;
  const narrow = (change: Partial<State>) => {
    store.set(change);
    void list.reload();
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
          if (list.current() !== undefined) store.set({ isReading: true });
          return;
        case 'thread.close':
          return void screen.back();
        case 'conversations.unread':
          return narrow({ isUnread: !isUnread });
        case 'conversations.view':
          return narrow({ view: views[(views.indexOf(view) + 1) % views.length] ?? null });
        case 'conversations.create':
          return app.open(form);
        case 'search.open':
          return app.open(
            filterDialog(app, {
              text: filter,
              note: "a visitor's name or e-mail, or a subject",
              change(text) {
                store.set({ filter: text });
                clearTimeout(pause);
                pause = setTimeout(() => void list.reload(), filterPause);
              },
            }),
          );
      }
    },
    View: ({ width, height }: Size) => {
      const state = useStore(store);
      const { shown } = useStore(list.store);
      const threadState = useStore(thread.store);
      const { now } = useStore(app.store);
      const isBeside = width >= wide;
      const listWidth = isBeside ? Math.floor(width * 0.42) : width;
      const threadWidth = isBeside ? width - listWidth - 2 : width;
      const isNarrowed = state.filter !== '' || state.view !== null || state.isUnread;
      const right = [
        state.filter === '' ? '' : theme.accent(`/ ${state.filter}`),
        state.isUnread ? theme.accent('unread only') : '',
        isNarrowed ? counted(shown.length, 'conversation') : '',
      ].filter((part) => part !== '');
      const seesList = isBeside || !state.isReading;
      const seesThread = isBeside || state.isReading;
      const rows = height - 1;
      const lines = seesThread
        ? threadLines(threadState, threadWidth, rows, now, state.isReading)
        : undefined;
      if (lines !== undefined) thread.measure(lines, threadWidth);
      return (
        <>
          <Lines lines={[apartOr(...viewLine(state), `${right.join('  ')} `, width)]} height={1} />
          <Box height={rows}>
            {seesList && (
              <Box width={listWidth}>
                <Table
                  list={list}
                  columns={columnsAt(now, isBeside)}
                  keyOf={({ id }) => id}
                  width={listWidth}
                  height={rows}
                  empty={
                    isNarrowed
                      ? ['No conversation is of that kind.', 'Esc shows the others.']
                      : ['Nobody has written yet.', 'n opens a conversation.']
                  }
                />
              </Box>
            )}
            {lines !== undefined && (
              <Box width={threadWidth} marginLeft={isBeside ? 2 : 0}>
                <Lines lines={lines.shown} height={rows} />
              </Box>
            )}
          </Box>
        </>
      );
    },
  };
  return screen;
}

function viewLine({ view }: State): [whole: string, short: string] {
  const names = views.map((name) => name ?? 'all');
  const at = views.indexOf(view);
  return [picker(names, at), picker([names[at] ?? ''], 0)];
}

function columnsAt(now: number, isBeside: boolean): readonly TableColumn<Conversation>[] {
  return [
    {
      heading: 'new',
      value: ({ unread_count }) => (unread_count === 0 ? '' : `${unread_count > 99 ? '99+' : unread_count}●`),
      width: 4,
      align: 'right',
      paint: () => theme.alarm,
    },
    {
      heading: 'visitor',
      value: ({ visitor_name }) => visitor_name,
      width: isBeside ? 16 : 18,
      paint: ({ unread_count }) => (unread_count > 0 ? theme.strong : cutNothing),
    },
    {
      heading: 'subject',
      value: ({ subject, last_message }) => subject || cut(last_message ?? '', 60),
      width: 'rest',
    },
    ...(isBeside
      ? []
      : [
          {
            heading: 'last message',
            value: ({ last_message }: Conversation) => last_message ?? '',
            width: 'rest' as const,
            dropAs: 3,
            paint: () => theme.quiet,
          },
        ]),
    {
      heading: 'status',
      value: ({ status }) => status,
      width: 8,
      dropAs: 2,
      paint: ({ status }) => statusPaint(status),
    },
    {
      heading: 'age',
      value: ({ updated_at }) => age(updated_at, now),
      width: 4,
      align: 'right',
      dropAs: 1,
      paint: () => theme.quiet,
    },
  ];
}

const cutNothing = (text: string) => text;
