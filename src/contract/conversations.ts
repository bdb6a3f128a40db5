import { z } from 'zod';
import { invalid } from './errors.ts';
import { count, requiredText, shownAs, textOr, timestamp } from './fields.ts';
import { filterText, listErrors, listParameters, nextCursor, toCursor } from './lists.ts';
import { anySession, defineOperation } from './operation.ts';

const emailAndNameRequired = 'Visitor email and name are required.';
const wrongUnread = 'unread must be true or false.';

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
  })
  .meta({ id: 'Conversation' });

const exampleConversation: z.infer<typeof conversationSchema> = {
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

/** Contract 4.4, and beyond it the parameters: without them the answer is the contract's. */
export const listConversations = defineOperation({
  id: 'conversations.list',
  summary: 'List every conversation with its last message and unread count',
  method: 'GET',
  path: '/api/admin/conversations',
  allow: anySession,
  input: z.object({
    status: filterText('Only conversations of this status.'),
    unread: z
      .literal([true, 'true', false, 'false', ''], { error: wrongUnread })
      .optional()
      .transform((unread) => unread === true || unread === 'true')
      .meta(shownAs({ type: 'boolean', description: '`true`: only conversations with unread messages.' })),
    ...listParameters(z.string()),
  }),
  output: z.strictObject({ conversations: z.array(conversationSchema), nextCursor }),
  errors: [...listErrors, invalid(wrongUnread)],
  failure: 'Failed to load conversations.',
  replica: true,
  example: { output: { conversations: [exampleConversation] } },
  otherExamples: {
    'A page': {
      input: { limit: 1, unread: true },
      output: {
        conversations: [exampleConversation],
        nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', exampleConversation.id]),
      },
    },
  },
});

/** Contract 4.5. */
export const createConversation = defineOperation({
  id: 'conversations.create',
  summary: 'Open a conversation with a visitor',
  method: 'POST',
  path: '/api/admin/conversations',
  allow: anySession,
  changes: ['conversation.created', 'message.created'],
  input: z.object({
    visitor_email: requiredText(emailAndNameRequired),
    visitor_name: requiredText(emailAndNameRequired),
    subject: textOr(''),
    initial_message: textOr(''),
  }),
  output: z.strictObject({
    success: z.literal(true),
    conversation: z.strictObject({ id: z.string() }),
  }),
  errors: [invalid(emailAndNameRequired)],
  failure: 'Failed to create conversation.',
  example: {
    input: {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada Byron',
      subject: 'An invoice for March',
      initial_message: 'Could you send it again?',
    },
    output: { success: true, conversation: { id: 'conv_1769851800000_k3x9a2b' } },
  },
});
