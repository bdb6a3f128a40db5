import { conversations as noun } from '../../../../src/contract/fields/conversations.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import type { ThreadMessage } from '../../../access/pages.ts';
import { cut } from '../../../terminal/cells.ts';
import { type Column, columnsOf, listColumns } from '../../../terminal/columns.ts';
import { printable } from '../../../terminal/text.ts';
import type { App } from '../../app/app.ts';

export type Conversation = OutputOf<'conversations.list'>['conversations'][number];

/** What the list asks for besides, so that each row can be changed as it is shown. */
export const include = 'assignee,labels,channel';

/** Characters of the last message that a list keeps, as many as it can show. */
const previewLength = 300;

export const toRow = (conversation: Conversation): Conversation => ({
  ...conversation,
  last_message: conversation.last_message?.slice(0, previewLength) ?? null,
});

/** Returns what sentences and titles call a conversation. */
export const nameOf = ({ visitor_name }: Pick<Conversation, 'visitor_name'>): string =>
  `the conversation with ${printable(visitor_name)}`;

const own: readonly Column<Conversation>[] = [
  {
    heading: 'new',
    field: 'unread_count',
    align: 'right',
    width: 4,
    value: ({ unread_count }) => (unread_count === 0 ? '' : `${unread_count > 99 ? '99+' : unread_count}●`),
    tone: () => 'alarm',
  },
  {
    heading: 'visitor',
    field: 'visitor_name',
    cut: true,
    width: 18,
    value: ({ visitor_name }) => visitor_name,
  },
  {
    heading: 'subject',
    cut: true,
    value: ({ subject, last_message }) => subject || cut(last_message ?? '', 60),
  },
  {
    heading: 'last message',
    field: 'last_message',
    cut: true,
    dropAs: 4,
    value: ({ last_message }) => last_message ?? '',
    tone: () => 'quiet',
  },
  ...columnsOf<Conversation>(noun, [
    ['visitor_email', 7],
    ['page', 8],
  ]),
];

export const columns: readonly Column<Conversation>[] = [
  ...own,
  ...listColumns<Conversation>(noun, { updated_at: 1, status: 2, assignee: 3, labels: 5, channel: 6 }).filter(
    ({ field, heading }) => field !== 'unread_count' && heading !== 'id',
  ),
];

/** The columns that are shown if somebody chooses them. */
export const hidden = ['visitor_email', 'page', 'created_at', 'last_message_at', 'assignee', 'channel'];

const pageMessages = 50;

/** Reads a page of messages with all that a thread shows of them. */
export const readMessages = (app: Pick<App, 'call'>, conversation_id: string, cursor?: string) =>
  app.call('messages.list', {
    conversation_id,
    limit: pageMessages,
    include: 'assignee,labels,channel,delivery,attachments',
    ...(cursor === undefined ? {} : { cursor }),
  });

/** Returns the messages with a draft that was neither sent nor rejected, oldest first. */
export function waitingDrafts(messages: readonly ThreadMessage[]): readonly ThreadMessage[] {
  const sent = new Set(messages.map(({ from_draft_of }) => from_draft_of));
  return messages.filter(({ id, ai_draft }) => ai_draft !== null && !sent.has(id));
}

/** Returns the latest reply whose mail has failed, which can be sent again. */
export const lastFailed = (messages: readonly ThreadMessage[]): ThreadMessage | undefined =>
  messages.findLast(({ delivery }) => delivery?.state === 'failed');

/** Reports whether a message is of the visitor, and nobody has marked it as read. */
export const isUnread = ({ sender_type, status }: ThreadMessage): boolean =>
  sender_type === 'visitor' && status === 'sent';
