import type { ListSource } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Store } from '../../state/store.ts';
import { type ArrangedList, createArrangedList, needsAssignees } from '../views/arranged-list.ts';
import { isCounted, parseConversationFilter } from './filter.ts';
import { type ConversationRow, toConversationRow } from './row.ts';
import { conversationSorting } from './sort.ts';
import { type ConversationsState, wholeFilter } from './state.ts';

/** The conversations that the view, the part and the filter select, in their order. */
export interface ConversationList extends ArrangedList<ConversationRow> {
  /** Returns why no conversation can match, if none can. */
  problem(): string | undefined;
}

export function createConversationList(app: App, store: Store<ConversationsState>): ConversationList {
  const parsedFilter = () => parseConversationFilter(wholeFilter(store.get()));
  const source: ListSource<ConversationRow> = {
    async load(cursor, limit) {
      const { search, problem } = parsedFilter();
      if (problem !== undefined) return { rows: [], nextCursor: null };
      const page = await app.call('conversations.list', {
        ...search,
        ...(needsAssignees(store.get()) ? { include: 'assignee' } : {}),
        limit,
        ...(cursor === null ? (isCounted(search) ? { count: 1 as const } : {}) : { cursor }),
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
  return {
    ...createArrangedList(store, source, conversationSorting),
    problem: () => parsedFilter().problem,
  };
}
