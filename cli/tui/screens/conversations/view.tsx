import { Box } from 'ink';
import type { z } from 'zod';
import type { conversationSchema } from '../../../../src/contract/schemas/conversations.ts';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr, cut } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import type { App } from '../../app.ts';
import { ageColumn } from '../../components/age-column.ts';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { type Store, useStore } from '../../store.ts';
import { picker, statusPaint, theme } from '../../theme.ts';
import type { ThreadPane } from './thread.ts';
import { threadLines } from './thread-lines.ts';

export type Conversation = z.infer<typeof conversationSchema>;

export interface ConversationsState {
  readonly filter: string;
  readonly view: string | null;
  readonly isUnread: boolean;
  /** The thread is read; otherwise the list is gone through. */
  readonly isReading: boolean;
}

/** What the list is narrowed to; null for all. */
export const conversationViews: readonly (string | null)[] = [null, ...conversationStatuses];

/** From here on, the conversation under the cursor stands beside the list. */
const wide = 120;

export interface ConversationsParts {
  readonly store: Store<ConversationsState>;
  readonly list: List<Conversation>;
  readonly thread: ThreadPane;
}

/** The list, the conversation that is read, or both where there is room. */
export function conversationsView(app: App, { store, list, thread }: ConversationsParts): Screen['View'] {
  return ({ width, height }: Size) => {
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
    const lines = seesThread ? threadLines(app, threadState, threadWidth, rows, state.isReading) : undefined;
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
                    ? [
                        'No conversation is of that kind.',
                        ...keyHints(app, ['everywhere.back', 'shows the others.']),
                      ]
                    : [
                        'Nobody has written yet.',
                        ...keyHints(app, ['conversations.create', 'opens a conversation.']),
                      ]
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
  };
}

/** The statuses, and in short the one that is shown. */
function viewLine({ view }: ConversationsState): [whole: string, short: string] {
  const names = conversationViews.map((name) => name ?? 'all');
  const at = conversationViews.indexOf(view);
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
      paint: ({ unread_count }) => (unread_count > 0 ? theme.strong : asIs),
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
    ageColumn(({ updated_at }) => updated_at, now, { heading: 'age', width: 4, dropAs: 1 }),
  ];
}

const asIs = (text: string) => text;
