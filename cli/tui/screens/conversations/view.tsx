import { Box } from 'ink';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { picker, theme } from '../../theme.ts';
import { type ConversationRow, conversationTableColumns } from './row.ts';
import type { ThreadPane } from './thread.ts';
import { threadLines } from './thread-lines.ts';

export interface ConversationsState {
  readonly filter: string;
  /** The status that is shown, or null for all. */
  readonly view: string | null;
  /** Only conversations with unread messages are shown. */
  readonly isUnread: boolean;
  /** Keys go to the thread instead of the list. */
  readonly isReading: boolean;
}

/** The statuses that can be shown; null stands for all. */
export const conversationViews: readonly (string | null)[] = [null, ...conversationStatuses];

/** From this width on, the thread is shown beside the list. */
const besideColumns = 120;

export interface ConversationsParts {
  readonly store: Store<ConversationsState>;
  readonly list: List<ConversationRow>;
  readonly thread: ThreadPane;
}

/** Shows the list, the thread, or both if there is room. */
export function conversationsView(app: App, { store, list, thread }: ConversationsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const state = useStore(store);
    const { shown } = useStore(list.store);
    const threadState = useStore(thread.store);
    const { now } = useStore(app.store);
    const isBeside = width >= besideColumns;
    const listWidth = isBeside ? Math.floor(width * 0.42) : width;
    const threadWidth = isBeside ? width - listWidth - 2 : width;
    const isFiltered = state.filter !== '' || state.view !== null || state.isUnread;
    const right = [
      state.filter === '' ? '' : theme.accent(`/ ${state.filter}`),
      state.isUnread ? theme.accent('unread only') : '',
      isFiltered ? counted(shown.length, 'conversation') : '',
    ].filter((part) => part !== '');
    const showsList = isBeside || !state.isReading;
    const showsThread = isBeside || state.isReading;
    const rows = height - 1;
    const lines = showsThread ? threadLines(app, threadState, threadWidth, rows, state.isReading) : undefined;
    if (lines !== undefined) thread.measure(lines);
    return (
      <>
        <Lines lines={[apartOr(...viewLine(state), `${right.join('  ')} `, width)]} height={1} />
        <Box height={rows}>
          {showsList && (
            <Box width={listWidth}>
              <Table
                list={list}
                columns={conversationTableColumns(now, isBeside)}
                keyOf={({ id }) => id}
                width={listWidth}
                height={rows}
                empty={
                  isFiltered
                    ? [
                        'No conversations match.',
                        ...keyHints(app, ['everywhere.back', 'shows all conversations.']),
                      ]
                    : [
                        'No conversations yet.',
                        ...keyHints(app, ['conversations.create', 'starts a conversation.']),
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

/** Returns the statuses, and a short form with only the current one. */
function viewLine({ view }: ConversationsState): [whole: string, short: string] {
  const names = conversationViews.map((name) => name ?? 'all');
  const index = conversationViews.indexOf(view);
  return [picker(names, index), picker([names[index] ?? ''], 0)];
}
