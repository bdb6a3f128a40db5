import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { conversationList, insertConversation } from '../db/conversations.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';
import { answerList } from './lists.ts';
import type { StreamedJson } from './streamed-json.ts';

export async function listConversations(
  { db }: Context,
  { limit, ...filter }: ParsedInputOf<'conversations.list'>,
): Promise<StreamedJson> {
  return answerList(db, 'conversations', conversationList(filter), limit);
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
