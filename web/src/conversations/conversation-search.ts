import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { type RawSearch, textOf, wordOf, wordsOf } from '../app/search-params.ts';

/** What may lie over the page: the visitor's pane of narrow windows, and dialogs. */
const overlays = ['details', 'new-issue', 'saved-replies'] as const;

/** What the conversations page shows, as its address says. */
export interface ConversationSearch {
  /** The conversation of the thread. */
  readonly id?: string | undefined;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly unread?: 'true' | undefined;
  /** `me`, `none`, or the id of an admin. */
  readonly assignee?: string | undefined;
  readonly show?: (typeof overlays)[number] | undefined;
}

/** Reads the address of the conversations page, and ignores what is no filter. */
export function conversationSearch(search: RawSearch): ConversationSearch {
  return {
    id: textOf(search.id),
    q: textOf(search.q),
    status: wordsOf(conversationStatuses, search.status),
    unread: wordOf(['true'], search.unread),
    assignee: textOf(search.assignee),
    show: wordOf(overlays, search.show),
  };
}
