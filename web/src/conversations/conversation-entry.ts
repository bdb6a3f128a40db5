import type { Entry } from '../app/palette/entries.ts';
import type { Conversation } from './conversation-resource.ts';

/** Returns the line of the palette that opens a conversation. */
export function conversationEntry({
  id,
  visitor_name: name,
  visitor_email: email,
  subject,
}: Pick<Conversation, 'id' | 'visitor_name' | 'visitor_email' | 'subject'>): Entry {
  return {
    key: `conversation ${id}`,
    label: subject === '' ? name || email : `${name || email}: ${subject}`,
    description: email,
    icon: 'conversations',
    isThing: true,
    link: { to: '/conversations', search: { id } },
  };
}
