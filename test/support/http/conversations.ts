import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Backoffice } from './backoffice.ts';

export type Thread = OutputOf<'messages.list'>;

/** Creates a conversation with messages of the visitor. Returns its id and the ids of the messages. */
export async function createConversation(
  backoffice: Backoffice,
  ...messages: readonly string[]
): Promise<{ id: string; messages: number[] }> {
  const { client } = backoffice.superadmin;
  const { conversation } = await client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada Byron',
    subject: 'An invoice',
  });
  const { id } = conversation;
  const ids: number[] = [];
  for (const content of messages) {
    const sent = await client.call('messages.create', {
      conversation_id: id,
      content,
      sender_type: 'visitor',
    });
    ids.push(sent.id);
  }
  return { id, messages: ids };
}

/** Returns the latest messages of a conversation and the fields beside them. */
export async function threadOf(backoffice: Backoffice, conversation_id: string): Promise<Thread> {
  return await backoffice.superadmin.client.call('messages.list', { conversation_id });
}
