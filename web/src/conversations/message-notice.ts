import type { EventOrGap } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { cutText } from '../../../src/shared/text.ts';
import type { Notice } from '../app/notice.ts';

type Conversation = OutputOf<'conversations.list'>['conversations'][number];

const maxBodyLength = 160;

/** Returns the conversation that a visitor has just written in; undefined for any other event. */
export function writtenConversation(event: EventOrGap): string | undefined {
  return event.type === 'message.created' && event.data.sender_type === 'visitor'
    ? event.data.conversation_id
    : undefined;
}

/** Returns the notice of a visitor's new message. */
export function messageNotice(
  conversation: Pick<Conversation, 'id' | 'visitor_name' | 'subject' | 'last_message' | 'unread_count'>,
): Notice {
  const { id, visitor_name: name, subject, last_message: last, unread_count: unread } = conversation;
  const text = (last ?? subject).replaceAll(/\s+/g, ' ').trim();
  return {
    title: unread > 1 ? `${unread} new messages from ${name}` : `New message from ${name}`,
    body: cutText(text, maxBodyLength),
    tag: `conversation-${id}`,
    link: { to: '/conversations', search: { id } },
  };
}
