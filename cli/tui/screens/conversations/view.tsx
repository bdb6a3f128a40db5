import { Box } from 'ink';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { pickedAt, picker, theme } from '../../theme.ts';
import { type ConversationRow, conversationTableColumns } from './row.ts';
import { type ConversationSort, conversationSortSign } from './sort.ts';
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
  readonly sort: ConversationSort;
}

/** The statuses that can be shown; null stands for all. */
export const conversationViews: readonly (string | null)[] = [null, ...conversationStatuses];

const viewNames = conversationViews.map((name) => name ?? 'all');

/** From this width on, the thread is shown beside the list. */
const besideColumns = 120;

export interface ConversationsParts {
  readonly store: Store<ConversationsState>;
  readonly list: List<ConversationRow>;
  readonly thread: ThreadPane;
  /** What clicks do. */
  readonly onView: (view: string | null) => void;
  readonly onRead: () => void;
  readonly onSort: (heading: string) => void;
}

/** Shows the list, the thread, or both if there is room. */
export function conversationsView(app: App, parts: ConversationsParts): Screen['View'] {
  const { store, list, thread, onView, onRead, onSort } = parts;
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
    const [wholeLine, shortLine] = viewLine(state);
    const viewsShown = apartOr(wholeLine, shortLine, `${right.join('  ')} `, width);
    const clickView = (x: number) => {
      const at = viewsShown.startsWith(wholeLine) ? pickedAt(viewNames, x) : undefined;
      if (at !== undefined) onView(conversationViews[at] ?? null);
    };
    const showsList = isBeside || !state.isReading;
    const showsThread = isBeside || state.isReading;
    const rows = height - 1;
    const lines = showsThread ? threadLines(app, threadState, threadWidth, rows, state.isReading) : undefined;
    if (lines !== undefined) thread.measure(lines);
    return (
      <>
        <Region onMouse={({ kind, x }) => kind !== 'wheel' && clickView(x)} height={1}>
          <Lines lines={[viewsShown]} height={1} />
        </Region>
        <Box height={rows}>
          {showsList && (
            <Box width={listWidth}>
              <Table
                list={list}
                columns={conversationTableColumns(now, isBeside)}
                keyOf={({ id }) => id}
                width={listWidth}
                height={rows}
                onOpen={onRead}
                onSort={onSort}
                sorted={{ heading: state.sort.column, sign: conversationSortSign(state.sort) }}
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
            <Region
              onMouse={({ kind, lines: turned }) => (kind === 'wheel' ? thread.move(turned) : onRead())}
              width={threadWidth}
              height={rows}
              marginLeft={isBeside ? 2 : 0}
            >
              <Lines lines={lines.shown} height={rows} />
            </Region>
          )}
        </Box>
      </>
    );
  };
}

/** Returns the statuses, and a short form with only the current one. */
function viewLine({ view }: ConversationsState): [whole: string, short: string] {
  const index = conversationViews.indexOf(view);
  return [picker(viewNames, index), picker([viewNames[index] ?? ''], 0)];
}
