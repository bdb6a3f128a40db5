import { z } from 'zod';
import { assignee } from './assignees.ts';
import { expectedFields } from './changes/expected.ts';
import { count, timestamp } from './fields.ts';

export const conversationSchema = z
  .strictObject({
    id: z.string(),
    visitor_email: z.string(),
    visitor_name: z.string(),
    subject: z.string(),
    status: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    last_message: z.string().nullable(),
    last_message_at: timestamp.nullable(),
    unread_count: count,
    assignee,
  })
  .meta({ id: 'Conversation' });

/** What the caller of a change saw of a conversation. */
export const expectedConversation = expectedFields(
  {
    visitor_email: z.string(),
    visitor_name: z.string(),
    subject: z.string(),
    status: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  },
  'conversation',
  'status is now closed',
);

export const exampleConversation: z.infer<typeof conversationSchema> = {
  id: 'conv_1769851800000_k3x9a2b',
  visitor_email: 'ada@example.com',
  visitor_name: 'Ada Byron',
  subject: 'An invoice for March',
  status: 'open',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  last_message: 'Could you send it again?',
  last_message_at: '2026-01-31T09:30:00.000Z',
  unread_count: 1,
};
