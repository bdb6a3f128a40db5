import { z } from 'zod';
import { senderTypes } from '../vocabulary.ts';

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
