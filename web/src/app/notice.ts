import type { LinkProps } from '@tanstack/react-router';
import type { Client } from '../../../src/contract/client/typed-client.ts';
import type { Event } from '../../../src/contract/events/envelope.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { cutText } from '../../../src/shared/text.ts';

type Conversation = OutputOf<'conversations.list'>['conversations'][number];

/** What a desktop notification says, and where it leads. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** A later notice with the same tag takes the place of an earlier one. */
  readonly tag: string;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
}

/** Returns the notice of an event; null if nobody needs to come for it. */
export async function noticeOf(event: Event, client: Client): Promise<Notice | null> {
  if (event.type === 'issue.created' && event.data.severity === 'Critical') {
    const id = Number(event.subject_id);
    return {
      title: `Critical issue ${id}`,
      body: event.data.title,
      tag: `issue-${id}`,
      link: { to: '/issues', search: { issue: id } },
    };
  }
  if (event.type !== 'message.created' || event.data.sender_type !== 'visitor') return null;
  // An event has no texts of visitors.
  const { conversation, messages } = await client.call('messages.list', {
    conversation_id: event.data.conversation_id,
    limit: 1,
  });
  return conversation && messageNotice({ ...conversation, last_message: messages.at(-1)?.content ?? null });
}

const maxBodyLength = 160;

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
