import { z } from 'zod';
import { senderTypes } from '../vocabulary.ts';
import { exampleConversation } from './conversations.ts';
import { timestamp } from './fields.ts';
import { issueSchema } from './issues.ts';

export const messageSchema = z
  .strictObject({
    id: z.int(),
    conversation_id: z.string(),
    sender_type: z.enum(senderTypes),
    content: z.string(),
    ai_draft: z.string().nullable().meta({ description: "A reply that waits for somebody's approval." }),
    status: z.string(),
    created_at: timestamp,
    sent_by: z.string().nullable().meta({
      description: "Who of the team wrote it, or approved its draft; null for a visitor's message.",
    }),
    from_draft_of: z.int().nullable().meta({
      description: "The visitor's message whose draft this reply was; null where somebody wrote it.",
    }),
  })
  .meta({ id: 'Message' });

/** An issue as far as a thread shows it. */
export const linkedIssueSchema = issueSchema.pick({ id: true, title: true, status: true, severity: true });

export const exampleMessage: z.infer<typeof messageSchema> = {
  id: 1,
  conversation_id: exampleConversation.id,
  sender_type: 'visitor',
  content: 'Could you send it again?',
  ai_draft: 'Gladly. The invoice for March is in your inbox.',
  status: 'sent',
  created_at: '2026-01-31T09:30:00.000Z',
  sent_by: null,
  from_draft_of: null,
};
