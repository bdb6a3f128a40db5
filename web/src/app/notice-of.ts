import type { Event } from '../../../src/contract/events/envelope.ts';
import { client } from './data/client.ts';
import { issueNotice, messageNotice, type Notice, writtenConversation } from './notice.ts';

/** Returns the notice of an event; undefined if nobody needs to come for it. */
export async function noticeOf(event: Event): Promise<Notice | undefined> {
  const written = writtenConversation(event);
  if (written === undefined) return issueNotice(event);
  // An event has no texts of visitors.
  const { conversation, messages } = await client.call('messages.list', {
    conversation_id: written,
    limit: 1,
  });
  if (conversation === null) return undefined;
  return messageNotice({ ...conversation, last_message: messages.at(-1)?.content ?? null });
}
