import { z } from 'zod';
import { count } from '../schemas/fields.ts';
import { changeFields } from './bulk.ts';

// Not an enum: an operator may write other statuses by SQL.
const status = z.string();

export const conversationEvents = {
  'conversation.created': z.strictObject({ visitor_email: z.string(), subject: z.string(), status }),
  'conversation.updated': z.strictObject({ status: status.optional(), unread_count: count.optional() }),
  'conversation.deleted': z.strictObject({ visitor_email: z.string(), subject: z.string(), status }),
  'conversations.updated': z.strictObject(
    changeFields(
      z.string(),
      z.strictObject({
        status: status.optional(),
        read: z.literal(true).optional(),
        assignee_id: z.string().nullable().optional(),
      }),
    ),
  ),
} as const;
