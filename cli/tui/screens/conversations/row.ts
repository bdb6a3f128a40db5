import type { z } from 'zod';
import type { conversationSchema } from '../../../../src/contract/schemas/issues.ts';
import { cut } from '../../../terminal/cells.ts';
import { ageColumn } from '../../components/age-column.ts';
import type { TableColumn } from '../../components/table.tsx';
import { type Paint, statusPaint, theme } from '../../theme.ts';

export type ConversationRow = z.infer<typeof conversationSchema>;

/** Characters of the last message that a list keeps, as many as it can show. */
const previewLength = 300;

/** Returns what the list keeps of a conversation. */
export function toConversationRow(conversation: ConversationRow): ConversationRow {
  return { ...conversation, last_message: conversation.last_message?.slice(0, previewLength) ?? null };
}

/**
 * Returns the columns of the list, in the order of the names.
 *
 * @param isBeside - a thread is shown beside the list, and shows the last message
 * @param isNarrow - the subject needs the room of the name
 */
export function conversationTableColumns(
  names: readonly string[],
  now: number,
  isBeside: boolean,
  isNarrow = isBeside,
): readonly TableColumn<ConversationRow>[] {
  const columns: Readonly<Record<string, TableColumn<ConversationRow>>> = {
    new: {
      heading: 'new',
      value: ({ unread_count }) => (unread_count === 0 ? '' : `${unread_count > 99 ? '99+' : unread_count}●`),
      width: 5,
      align: 'right',
      paint: () => theme.alarm,
    },
    visitor: {
      heading: 'visitor',
      value: ({ visitor_name }) => visitor_name,
      width: isNarrow ? 14 : 18,
      paint: (row) => (row.unread_count > 0 ? theme.strong : quietIfSettled(row)),
    },
    subject: {
      heading: 'subject',
      value: ({ subject, last_message }) => subject || cut(last_message ?? '', 60),
      width: 'rest',
      paint: quietIfSettled,
    },
    ...(isBeside ? {} : { message: lastMessageColumn }),
    status: {
      heading: 'status',
      value: ({ status }) => status,
      width: 8,
      dropAs: 2,
      paint: (row) => (isSettled(row) ? theme.quiet : statusPaint(row.status)),
    },
    assignee: {
      heading: 'assignee',
      value: ({ assignee }) => assignee?.username ?? '',
      width: 12,
      dropAs: 4,
      paint: quietIfSettled,
    },
    age: ageColumn(({ updated_at }) => updated_at, now, { heading: 'age', width: 5, dropAs: 1 }),
  };
  return names.flatMap((name) => columns[name] ?? []);
}

const isSettled = ({ status, unread_count }: ConversationRow) =>
  unread_count === 0 && (status === 'resolved' || status === 'closed');
const quietIfSettled = (row: ConversationRow): Paint => (isSettled(row) ? theme.quiet : (text) => text);

const lastMessageColumn: TableColumn<ConversationRow> = {
  heading: 'last message',
  value: ({ last_message }) => last_message ?? '',
  width: 'rest',
  dropAs: 3,
  paint: () => theme.quiet,
};
