import type { SelectionState } from '../rows/selection.ts';
import { type ArrangedState, arrangedBy } from '../views/arranged-list.ts';
import { effectiveFilter } from '../views/parts.ts';
import type { View } from '../views/saved-view.ts';

export interface ConversationsState extends ArrangedState, SelectionState<string> {
  /** Only conversations with unread messages are shown. */
  readonly isUnread: boolean;
  /** Keys go to the thread instead of the list. */
  readonly isReading: boolean;
}

export function startState(saved: View): ConversationsState {
  return {
    ...arrangedBy(saved),
    selected: new Set(),
    isRange: false,
    isUnread: false,
    isReading: false,
  };
}

/** Returns the whole filter that applies, as it would be typed. */
export function wholeFilter(state: ConversationsState): string {
  const filter = effectiveFilter(state);
  return state.isUnread && !/\bis:unread\b/.test(filter) ? `${filter} is:unread`.trim() : filter;
}
