import { conversations } from '../../../src/contract/fields/conversations.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';
import { filterReader } from '../kit/address.ts';
import type { ConversationFilter } from './conversation-resource.ts';

/** What may lie over the page: the visitor's pane of narrow windows, a dialog, and what now is a page of its own. */
const overlays = ['details', 'new-issue', 'saved-replies'] as const;

/** What the conversations page shows, as its address says. */
export interface ConversationSearch extends Omit<ConversationFilter, 'sort'> {
  /** The conversation of the thread. */
  readonly id?: string | undefined;
  readonly show?: (typeof overlays)[number] | undefined;
}

const readFilter = filterReader(conversations);

/** Returns the filter of an address. The list has one order: what changed last comes first. */
export function conversationFilter(search: RawSearch): Omit<ConversationFilter, 'sort'> {
  const { sort: _sort, ...filter } = readFilter(search);
  return { ...filter, unread: wordOf(['true'], search.unread) };
}

/** Reads the address of the conversations page, and ignores what it does not know. */
export function conversationSearch(search: RawSearch): ConversationSearch {
  return { ...conversationFilter(search), id: textOf(search.id), show: wordOf(overlays, search.show) };
}
