import { z } from 'zod';
import { conversations } from '../fields/conversations.ts';
import { savedReplies } from '../fields/saved-replies.ts';
import { eventDataOf, eventSetOf } from '../of-noun.ts';
import { count } from '../schemas/fields.ts';
import { senderTypes } from '../vocabulary.ts';
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

const message = {
  conversation_id: z.string(),
  sender_type: z.enum(senderTypes),
  // Not an enum: an operator may write other statuses by SQL.
  status: z.string(),
};

export const messageEvents = {
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
} as const;

const savedReply = eventDataOf(savedReplies);

export const savedReplyEvents = {
  'saved_reply.created': savedReply,
  'saved_reply.updated': savedReply,
  'saved_reply.deleted': savedReply,
} as const;

export const visitorEvents = {
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
