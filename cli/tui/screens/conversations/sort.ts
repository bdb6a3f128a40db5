import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import type { ConversationRow } from './row.ts';

/** The columns that conversations can be sorted by, by their headings. */
export const conversationSortColumns = ['age', 'new', 'visitor', 'subject', 'status'] as const;

export interface ConversationSort {
  readonly column: (typeof conversationSortColumns)[number];
  readonly isReversed: boolean;
}

/** The order of the service. */
export const newestFirst: ConversationSort = { column: 'age', isReversed: false };

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const rankOf = (status: string) => (conversationStatuses as readonly string[]).indexOf(status);

const comparisons: Readonly<
  Record<ConversationSort['column'], (one: ConversationRow, other: ConversationRow) => number>
> = {
  age: (one, other) => compare(other.updated_at, one.updated_at),
  new: (one, other) => other.unread_count - one.unread_count,
  visitor: (one, other) => compare(one.visitor_name.toLowerCase(), other.visitor_name.toLowerCase()),
  subject: (one, other) => compare(one.subject.toLowerCase(), other.subject.toLowerCase()),
  status: (one, other) => rankOf(one.status) - rankOf(other.status),
};

/** Returns the rows in another order, or undefined if the service already returns this one. */
export function conversationOrder({ column, isReversed }: ConversationSort) {
  if (column === 'age' && !isReversed) return undefined;
  const order = comparisons[column];
  return (rows: readonly ConversationRow[]) =>
    rows.toSorted(isReversed ? (one, other) => order(other, one) : order);
}

/** Returns the sign of an order. An age grows from line to line when the newest come first. */
export function conversationSortSign({ column, isReversed }: ConversationSort): '▲' | '▼' {
  const isDescending = column === 'new' || column === 'age';
  return isDescending === isReversed ? '▲' : '▼';
}

/** Returns the order by a column, reversed if the list already has it. */
export function conversationsSortedBy(
  column: ConversationSort['column'],
  before: ConversationSort,
): ConversationSort {
  return { column, isReversed: before.column === column && !before.isReversed };
}
