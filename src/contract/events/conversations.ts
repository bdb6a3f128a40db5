import { z } from 'zod';
import { conversations } from '../fields/conversations.ts';
import { eventDataOf, eventSetOf } from '../of-noun.ts';
import { count } from '../schemas/fields.ts';
import { changeFields } from './bulk.ts';

const conversation = eventDataOf(conversations);
const set = eventSetOf(conversations);

export const conversationEvents = {
  'conversation.created': conversation,
  'conversation.updated': set.pick({ status: true }).extend({ unread_count: count.optional() }),
  'conversation.deleted': conversation,
  'conversations.updated': z.strictObject(
    changeFields(z.string(), set.extend({ read: z.literal(true).optional() })),
  ),
} as const;
