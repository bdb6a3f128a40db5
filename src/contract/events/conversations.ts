import { z } from 'zod';
import { conversations } from '../fields/conversations.ts';
import { savedReplies } from '../fields/saved-replies.ts';
import { eventDataOf, eventSetOf } from '../of-noun.ts';
import { count } from '../schemas/fields.ts';
import { senderTypes } from '../vocabulary.ts';
import { changeFields } from './issues.ts';

const conversation = eventDataOf(conversations);
const set = eventSetOf(conversations);

const message = {
  conversation_id: z.string(),
  sender_type: z.enum(senderTypes),
  // Not an enum: an operator may write other statuses by SQL.
  status: z.string(),
};

const savedReply = eventDataOf(savedReplies);

/** The events of conversations, their messages and visitors, and of saved replies. */
export const conversationEvents = {
  'conversation.created': conversation,
  'conversation.updated': set.pick({ status: true }).extend({ unread_count: count.optional() }),
  'conversation.deleted': conversation,
  'conversations.updated': z.strictObject(
    changeFields(z.string(), set.extend({ read: z.literal(true).optional() })),
  ),
  'message.created': z.strictObject({
    ...message,
    from_draft_of: z.int().optional().meta({ description: "The visitor's message whose draft was sent." }),
  }),
  'message.updated': z.strictObject({
    ...message,
    draft: z
      .enum(['proposed', 'edited', 'rejected', 'sent'])
      .meta({ description: 'What happened to the draft on the message.' }),
  }),
  'saved_reply.created': savedReply,
  'saved_reply.updated': savedReply,
  'saved_reply.deleted': savedReply,
  'visitor.erased': z.strictObject({
    digest: z
      .string()
      .nullable()
      .meta({ description: 'A digest of the address under the key of the service; null if it has none.' }),
    conversations: count,
    messages: count,
    redacted: count.meta({ description: 'Other rows that named the visitor.' }),
  }),
} as const;
