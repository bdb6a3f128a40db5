import { Box } from 'ink';
import { useMemo } from 'react';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { printable } from '../../../terminal/text.ts';
import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { Table } from '../../components/table.tsx';
import { connectHint, keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import { progressOf } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { pickedAt, picker, theme } from '../../theme.ts';
import { selectionNote } from '../rows/selection-note.ts';
import { partsOf, shownPart } from '../views/parts.ts';
import { type ConversationRow, conversationTableColumns } from './row.ts';
import { conversationSorting } from './sort.ts';
import { type ConversationsState, wholeFilter } from './state.ts';
import type { ThreadPane } from './thread.ts';
import { threadLines } from './thread-lines.ts';

/** From this width on, the thread is shown beside the list. */
const besideColumns = 120;
/** Below this width, names are cut sooner than subjects. */
const narrowColumns = 60;

export interface ConversationsParts {
  readonly store: Store<ConversationsState>;
  readonly list: List<ConversationRow>;
  readonly thread: ThreadPane;
  /** Returns why no conversation can match the filter, if none can. */
  readonly problem: () => string | undefined;
  /** What clicks do. */
  readonly onPart: (part: string | null) => void;
  readonly onRead: () => void;
  readonly onSort: (heading: string) => void;
}

/** Shows the list, the thread, or both if there is room. */
export function conversationsView(app: App, parts: ConversationsParts): Screen['View'] {
  const { store, list, thread, problem, onPart, onRead, onSort } = parts;
  return ({ width, height }: Size) => {
    const state = useStore(store);
    const { shown, ...loading } = useStore(list.store);
    const threadState = useStore(thread.store);
    const { now } = useStore(app.store);
    const isBeside = width >= besideColumns;
    const isNarrow = isBeside || width < narrowColumns;
    // The table draws its rows again only for other columns.
    const columns = useMemo(
      () => conversationTableColumns(state.columns, now, isBeside, isNarrow),
      [state.columns, now, isBeside, isNarrow],
    );
    const listWidth = isBeside ? Math.floor(width * 0.42) : width;
    const threadWidth = isBeside ? width - listWidth - 2 : width;
    const isFiltered = wholeFilter(state) !== '';
    const right = [
      state.filter === '' ? '' : theme.accent(`/ ${state.filter}`),
      state.isUnread ? theme.accent('unread only') : '',
      selectionNote(state),
      isFiltered ? progressOf(loading) || counted(shown.length, 'conversation') : progressOf(loading),
    ].filter((part) => part !== '');
    const names = partsOf(conversationStatuses, state).map((part) => part ?? printable(state.saved.name));
    const current = partsOf(conversationStatuses, state).indexOf(shownPart(state));
    const wholeLine = picker(names, current);
    const viewsShown = apartOr(wholeLine, picker([names[current] ?? ''], 0), `${right.join('  ')} `, width);
    const clickView = (x: number) => {
      const at = viewsShown.startsWith(wholeLine) ? pickedAt(names, x) : undefined;
      if (at !== undefined) onPart(partsOf(conversationStatuses, state)[at] ?? null);
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
                columns={columns}
                selected={state.selected}
                keyOf={({ id }) => id}
                width={listWidth}
                height={rows}
                onOpen={onRead}
                onSort={onSort}
                sorted={{ heading: state.sort.column, sign: conversationSorting.sign(state.sort) }}
                empty={emptyLines(app, state, problem())}
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

/** Returns what stands in place of the list if there are no conversations. */
function emptyLines(app: App, state: ConversationsState, problem: string | undefined): string[] {
  if (problem !== undefined)
    return [problem, ...keyHints(app, ['everywhere.back', 'shows all conversations.'])];
  if (wholeFilter(state) === '')
    return [
      'No conversations yet.',
      connectHint,
      ...keyHints(app, ['conversations.create', 'starts a conversation.']),
    ];
  if (state.filter === '' && !state.isUnread && state.part === null)
    return [
      `No conversations in the view ${state.saved.name}.`,
      ...keyHints(app, ['conversations.view', 'shows all conversations.']),
    ];
  const back = state.saved.filter === '' ? 'shows all conversations.' : `goes back to ${state.saved.name}.`;
  return ['No conversations match.', ...keyHints(app, ['everywhere.back', back])];
}
