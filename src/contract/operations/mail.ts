import { z } from 'zod';
import { invalid } from '../errors.ts';
import { anySession, defineOperation, managers } from '../operation.ts';
import { requiredText, shownAs, success } from '../schemas/fields.ts';
import { exampleConversation } from '../schemas/issues.ts';
import { rowId } from '../schemas/row-ids.ts';

const messageRequired = 'message must be a mail in base64.';
const messageIdRequired = 'id must be a message id.';
const partRequired = 'part must be the number of an attachment.';

/** Refuses an unknown message, and one that no mail has brought. */
export const noOriginal = invalid('The message has no original.');
export const noAttachment = invalid('The message has no such attachment.');

const bytes = z.string().meta({ format: 'binary' });

export const mailOperations = [
  defineOperation('GET', '/api/admin/messages/attachment', anySession, {
    id: 'messages.attachment',
    summary: 'Download an attachment of a message that came by mail',
    description:
      'The `attachments` of a message have the numbers. Always a download; its type is that of its content, and never a page.',
    answers: 'file',
    input: z.object({
      id: rowId(messageIdRequired),
      part: rowId(partRequired),
    }),
    output: bytes,
    errors: [noAttachment],
    failure: 'Failed to load the attachment.',
    example: { input: { id: 1, part: 1 }, output: '%PDF-1.7' },
  }),

  defineOperation('GET', '/api/admin/messages/source', anySession, {
    id: 'messages.source',
    summary: 'Download the original of a message that came by mail',
    description: 'The mail with its header, as it arrived.',
    answers: 'file',
    input: z.object({ id: rowId(messageIdRequired) }),
    output: bytes,
    errors: [noOriginal],
    failure: 'Failed to load the original.',
    example: { input: { id: 1 }, output: 'From: ada@example.com' },
  }),

  defineOperation('POST', '/api/mail/inbound', managers, {
    id: 'mail.receive',
    summary: 'Take in a mail of a visitor',
    description:
      'The body is the mail itself with `Content-Type: message/rfc822`, or JSON. It becomes a message of the conversation that ' +
      'it answers, if it comes from the same address, or else a new conversation. `conversation` is null for an automatic ' +
      'mail, one that was taken in before, and one that could not be delivered, whose reply is marked as bounced. A token of the ' +
      'scope `intake` may call it, whatever its role.',
    intake: true,
    takesMail: true,
    unkeyed: true,
    accepted: true,
    changes: [
      'conversation.created',
      'conversation.updated',
      'message.created',
      'message.delivered',
      'comment.created',
    ],
    input: z.object({
      message: requiredText(messageRequired)
        .regex(/^[\w+/-]+={0,2}$/, { error: messageRequired })
        .meta(shownAs({ type: 'string', pattern: '^[\\w+/-]+={0,2}$', description: 'The mail, in base64.' })),
      size: z
        .int({ error: 'size must be a number of bytes.' })
        .min(1, { error: 'size must be a number of bytes.' })
        .max(1e12, { error: 'size must be a number of bytes.' })
        .optional()
        .describe('The bytes of a mail of more than 25 MB, of which `message` has only the beginning.'),
    }),
    output: success.extend({ conversation: z.strictObject({ id: z.string() }).nullable() }),
    failure: 'Failed to take in the mail.',
    example: {
      input: { message: 'RnJvbTogYWRhQGV4YW1wbGUuY29tClN1YmplY3Q6IEhlbGxvCgpIZWxsbyEK' },
      output: { success: true, conversation: { id: exampleConversation.id } },
    },
  }),
] as const;
