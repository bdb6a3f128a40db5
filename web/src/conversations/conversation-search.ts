import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, textOf, wordOf, wordsOf } from '../app/search-params.ts';

/** What the conversations page shows, as its address says. */
export interface ConversationSearch {
  /** The conversation of the thread. */
  readonly id?: string | undefined;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly unread?: 'true' | undefined;
}

/** Reads the address of the conversations page, and ignores what is no filter. */
export function conversationSearch(search: RawSearch): ConversationSearch {
  return {
    id: textOf(search.id),
    q: textOf(search.q),
    status: wordsOf(conversationStatuses, search.status),
    unread: wordOf(['true'], search.unread),
  };
}
