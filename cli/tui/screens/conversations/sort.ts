import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { compareTexts, comparisonByRank, createSorting } from '../views/sorting.ts';
import type { ConversationRow } from './row.ts';

const byText = (textOf: (row: ConversationRow) => string) => ({
  compare: (one: ConversationRow, other: ConversationRow) =>
    compareTexts(textOf(one).toLowerCase(), textOf(other).toLowerCase()),
});

/** The columns that conversations can be sorted by: the newest, the unread and the open first. */
export const conversationSorting = createSorting<ConversationRow>({
  // The newest has the lowest age.
  age: { compare: (one, other) => compareTexts(other.updated_at, one.updated_at) },
  new: { compare: (one, other) => other.unread_count - one.unread_count, isDescending: true },
  visitor: byText(({ visitor_name }) => visitor_name),
  subject: byText(({ subject }) => subject),
  status: { compare: comparisonByRank(conversationStatuses, ({ status }) => status) },
  // Those that nobody works on come first.
  assignee: byText(({ assignee }) => assignee?.username ?? ''),
});
