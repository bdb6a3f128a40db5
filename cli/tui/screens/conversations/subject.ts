import { pages } from '../../../../src/contract/pages.ts';
import type { ThreadMessage } from '../../../access/thread.ts';
import type { App } from '../../state/app.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import { dateTime } from '../../text/age.ts';
import type { ConversationRow } from './row.ts';

/** The latest messages that are copied as text. */
const maxMessages = 200;

/** Returns what can be copied of a conversation. */
export function conversationSubject(
  app: App,
  conversation: ConversationRow | undefined,
): RowSubject | undefined {
  if (conversation === undefined) return undefined;
  const { id, visitor_name, visitor_email, subject } = conversation;
  const page = `${pages.conversations.path}?id=${encodeURIComponent(id)}`;
  return {
    short: { text: app.host.webUrl + page, name: `the link of the conversation with ${visitor_name}` },
    whole: {
      name: `the conversation with ${visitor_name}`,
      async read() {
        const { messages } = await app.call('messages.list', { conversation_id: id, limit: maxMessages });
        const head = `${subject || 'No subject'}: ${visitor_name} <${visitor_email}>`;
        return [head, ...messages.map((message) => textOf(message, visitor_name))].join('\n\n');
      },
    },
    page,
  };
}

function textOf({ sender_type, sent_by, created_at, content }: ThreadMessage, visitor: string): string {
  const name = sender_type === 'visitor' ? visitor : (sent_by ?? 'admin');
  return `${name}, ${dateTime(created_at)} UTC\n${content.trim()}`;
}
