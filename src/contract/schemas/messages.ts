import { z } from 'zod';
import { senderTypes } from '../vocabulary.ts';
import { expectedFields } from './changes/expected.ts';
import { exampleConversation } from './conversations.ts';
import { timestamp } from './fields.ts';
import { issueSchema } from './issues.ts';

export const messageSchema = z
  .strictObject({
    id: z.int(),
    conversation_id: z.string(),
    sender_type: z.enum(senderTypes),
    content: z.string(),
    ai_draft: z.string().nullable().meta({ description: 'A suggested reply that awaits approval.' }),
    status: z.string(),
    created_at: timestamp,
    sent_by: z.string().nullable().meta({
      description: "The admin who wrote it or approved its draft; null for a visitor's message.",
    }),
    from_draft_of: z.int().nullable().meta({
      description:
        "The visitor's message whose draft became this reply; null for a reply that was written by hand.",
    }),
  })
  .meta({ id: 'Message' });

/** The fields of a linked issue that a conversation shows. */
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

/** What the caller saw of a message before it changed or sent the message's draft. */
export const expectedDraft = expectedFields(
  { ai_draft: z.string().nullable() },
  'message',
  'ai_draft is now Gladly: it is in your inbox now',
);
