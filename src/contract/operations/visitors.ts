import { z } from 'zod';
import { defineOperation, managers, superadmins } from '../operation.ts';
import { count, requiredText, success, timestamp } from '../schemas/fields.ts';
import { channels } from '../vocabulary.ts';
import { messageSchema } from './messages.ts';

const emailRequired = 'email is required';
const emailNotOne = 'email must be one address, without spaces. In a URL, write + as %2B.';

/** A space before or in the address may be a plus sign that a URL had unencoded, and the rest the address of somebody else. */
const email = requiredText(emailRequired)
  .regex(/\S/, { error: emailRequired })
  .regex(/^(?:[^@]*|\S+\s*)$/, { error: emailNotOne })
  .describe("The visitor's e-mail address. Case and spaces after it don't matter.");

const conversation = z
  .strictObject({
    id: z.string(),
    visitor_email: z.string(),
    visitor_name: z.string(),
    subject: z.string(),
    status: z.string(),
    channel: z.enum(channels),
    page: z.string().nullable(),
    labels: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    messages: z.array(messageSchema.omit({ conversation_id: true, from_draft_of: true })),
    comments: z.array(
      z.strictObject({
        id: z.int(),
        author: z.string().nullable(),
        content: z.string(),
        created_at: timestamp,
        updated_at: timestamp,
      }),
    ),
    history: z.array(
      z.strictObject({
        id: z.int(),
        field: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        created_at: timestamp,
      }),
    ),
    issue_ids: z.array(z.int()).describe('The issues that it is linked to.'),
  })
  .meta({ id: 'VisitorConversation' });

const recorded = z.record(z.string(), z.unknown()).nullable();

export const visitorOperations = [
  /** Beyond the contract: the right of access. */
  defineOperation('GET', '/api/admin/visitors', managers, {
    id: 'visitors.export',
    summary: 'Export everything about a visitor',
    description:
      'Returns the conversations of the visitor with their messages, comments, history and links, the texts of others that ' +
      'contain the address, and the audit records about them. A conversation is of the visitor if its `visitor_email` has the ' +
      'address, alone or beside a name or other addresses. Events and the deliveries of webhooks repeat the audit records, and ' +
      'are among the texts if those are deleted.',
    confidential: true,
    input: z.object({ email }),
    output: z.strictObject({
      email: z.string(),
      conversations: z.array(conversation),
      mails: z
        .array(
          z.strictObject({
            conversation_id: z.string(),
            message_id: z.int(),
            received_at: timestamp,
            bytes: count,
            source: z.string().nullable().describe('The mail in base64; null if it is not kept.'),
          }),
        )
        .optional()
        .describe('The originals of messages that came by mail, if there are any.'),
      mentions: z.array(
        z.strictObject({
          table: z.string(),
          id: z.union([z.int(), z.string()]),
          texts: z.record(z.string(), z.string().nullable()),
        }),
      ),
      audit: z.array(
        z.strictObject({
          id: z.int(),
          created_at: timestamp,
          actor_name: z.string(),
          operation: z.string(),
          event: z.string(),
          subject_id: z.string().nullable(),
          before: recorded,
          after: recorded,
        }),
      ),
    }),
    failure: 'Failed to export the visitor.',
    example: {
      input: { email: 'ada@example.com' },
      output: { email: 'ada@example.com', conversations: [], mentions: [], audit: [] },
    },
  }),

  /** Beyond the contract: the right to erasure. */
  defineOperation('DELETE', '/api/admin/visitors', superadmins, {
    id: 'visitors.erase',
    summary: 'Erase everything about a visitor',
    description:
      'Deletes the conversations of the visitor with everything that belongs to them, and replaces the address by ' +
      '`[erased]` where others wrote it. In events, deliveries of webhooks and audit records, the address, subjects and ' +
      'comments are replaced likewise. It cannot be undone. An unknown address succeeds. A request that takes too long erases ' +
      'nothing: with millions of rows, run `backoffice visitors erase` on the database, where it has no deadline.',
    changes: ['link.deleted', 'conversation.deleted', 'visitor.erased'],
    input: z.object({ email }),
    output: success.extend({
      conversations: count.describe('Conversations that were deleted.'),
      messages: count.describe('Their messages.'),
      redacted: count.describe('Other rows that named the visitor.'),
    }),
    failure: 'Failed to erase the visitor.',
    load: 'bulk',
    example: {
      input: { email: 'ada@example.com' },
      output: { success: true, conversations: 2, messages: 9, redacted: 14 },
    },
  }),
] as const;
