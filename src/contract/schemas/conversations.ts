import { conversations } from '../fields/conversations.ts';
import { exampleOf, expectedOf, rowOf } from '../of-noun.ts';

export const conversationSchema = rowOf(conversations);

/** What the caller of a change saw of a conversation. */
export const expectedConversation = expectedOf(conversations);

export const exampleConversation = exampleOf(conversations);
