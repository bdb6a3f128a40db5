import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { insertConversation, streamConversations } from '../db/conversations.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';
import { StreamedJson } from './streamed-json.ts';

export async function listConversations({ db }: Context): Promise<StreamedJson> {
  return new StreamedJson((write) => streamConversations(db, write));
}

export async function createConversation(
  { db }: Context,
  conversation: ParsedInputOf<'conversations.create'>,
): Promise<OutputOf<'conversations.create'>> {
  while (true) {
    const id = newId('conv', 7);
    if (await insertConversation(db, id, conversation)) return { success: true, conversation: { id } };
  }
}
