import { z } from 'zod';
import { deliveryStates, noVisitorMail } from '../deliveries.ts';
import { conflict, type DocumentedError, invalid } from '../errors.ts';
import { anySession, defineOperation } from '../operation.ts';
import { maxTextLength } from '../schemas/bounds.ts';
import { changedMeanwhile, expectedFields } from '../schemas/changes/expected.ts';
import {
  count,
  notBlank,
  optional,
  requiredText,
  rowWithExample,
  shownAs,
  success,
  timestamp,
} from '../schemas/fields.ts';
import { filterWords, searchParameter } from '../schemas/filters.ts';
import { conversationSchema, exampleConversation, issueSchema } from '../schemas/issues.ts';
import { defaultPageRows, nextCursor, pageParameters, toCursor } from '../schemas/lists.ts';
import { rowId } from '../schemas/row-ids.ts';
import { senderTypes } from '../vocabulary.ts';
import { unknownConversation } from './conversations.ts';

/** The mail of a reply to its visitor. */
const deliverySchema = z
  .strictObject({
    state: z
      .enum(deliveryStates)
      .describe(
        'A `queued` one with an `error` is tried again. A `failed` one can be sent again; a `bounced` one came back.',
      ),
    at: timestamp.describe('When it got the state.'),
    error: z.string().nullable().describe('Why it failed, in the words of the mail server.'),
  })
  .meta({ id: 'MessageDelivery' });

const message = rowWithExample('Message', {
  id: [z.int(), 1],
  conversation_id: [z.string(), exampleConversation.id],
  sender_type: [z.enum(senderTypes), 'visitor'],
  content: [z.string(), 'Could you send it again?'],
  ai_draft: [
    z.string().nullable().describe('A suggested reply that awaits approval.'),
    'Gladly. The invoice for March is in your inbox.',
  ],
  status: [z.string(), 'sent'],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  sent_by: [
    z
      .string()
      .nullable()
      .describe("The admin who wrote it or approved its draft; null for a visitor's message."),
    null,
  ],
  from_draft_of: [
    z
      .int()
      .nullable()
      .describe(
        "The visitor's message whose draft became this reply; null for a reply that was written by hand.",
      ),
    null,
  ],
});
export const exampleMessage = message.example;
export const messageSchema = message.schema
  .extend({
    delivery: deliverySchema
      .nullable()
      .optional()
      .describe('With `include=delivery`: the mail that takes it to the visitor; null if none does.'),
  })
  .meta({ id: 'Message' });

/** A file of a message that came by mail. */
export const attachment = z
  .strictObject({
    part: z.int().describe('Its number, for `GET /api/admin/messages/attachment`.'),
    name: z.string(),
    media_type: z.string().describe('By its content, not by what the mail says.'),
    bytes: count,
  })
  .meta({ id: 'Attachment' });

/** A message in a thread, with what the caller asked for. */
const threadMessage = messageSchema
  .extend({
    attachments: z
      .array(attachment)
      .nullable()
      .optional()
      .describe(
        'With `include=attachments`: its files, at most 100; null if no mail has brought the message.',
      ),
    quoted_from: z
      .int()
      .nullable()
      .optional()
      .describe(
        'With `include=attachments`: where in the content of a mail the quoted mails begin, in UTF-16 units; null if it quotes none.',
      ),
  })
  .meta({ id: 'ThreadMessage' });

/** The fields of a linked issue that a conversation shows. */
const linkedIssueSchema = issueSchema.pick({ id: true, title: true, status: true, severity: true });

/** What the caller saw of a message before it changed or sent the message's draft. */
const expectedDraft = expectedFields(
  { ai_draft: z.string().nullable() },
  'message',
  'ai_draft is now Gladly: it is in your inbox now',
);

const path = '/api/admin/messages';

const conversationAndContentRequired = 'conversation_id and content are required';
const idAndDraftRequired = 'id and ai_draft are required';

/** The errors that depend on stored messages. */
export const messageErrors = {
  unknownConversation,
  unknownMessage: invalid('There is no message with that id.'),
  noDraft: invalid('The message has no draft to send.'),
  notOfVisitor: invalid("Only a visitor's message can have a draft."),
  draftIsSent: invalid('The draft has already been sent.'),
  draftWasSent: conflict('The draft has just been sent by somebody else.'),
  notFailed: invalid('The mail of that message has not failed.'),
  mailIsOff: invalid(noVisitorMail.off),
  noMailServer: invalid(noVisitorMail.no_server),
  expectedWasSent: changedMeanwhile('the draft has been sent'),
} as const satisfies Readonly<Record<string, DocumentedError>>;

const ownMessage = z
  .object({
    approve: z.null().optional(),
    conversation_id: requiredText(conversationAndContentRequired).describe('The id of the conversation.'),
    content: notBlank(conversationAndContentRequired),
    sender_type: z
      .literal([...senderTypes, '', null], {
        error: `Invalid sender_type. Must be one of: ${senderTypes.join(', ')}`,
      })
      .optional()
      .transform((sender): (typeof senderTypes)[number] => (sender === 'visitor' ? 'visitor' : 'admin'))
      .meta(shownAs({ type: ['string', 'null'], enum: [...senderTypes, null], default: 'admin' })),
  })
  .transform(({ approve: _approve, ...own }) => ({ kind: 'own' as const, ...own }))
  .meta({ title: "A reply, or a visitor's message" });

const approval = z
  .object({
    approve: rowId('approve must be a message id.').describe("The visitor's message whose draft to send."),
    conversation_id: optional(
      z.string({ error: 'conversation_id must be the id of a conversation.' }),
    ).describe('If given, the conversation that the message must belong to.'),
    content: optional(notBlank('content must not be blank.')).describe(
      'The edited text to send instead of the draft.',
    ),
    expected: expectedDraft,
  })
  .transform(({ approve, ...edited }) => ({ kind: 'approval' as const, message_id: approve, ...edited }))
  .meta({ title: 'The approval of a draft' });

/** Reports which of the two forms a request means, even if the request is invalid. */
const meansApproval = (request: unknown) =>
  typeof request === 'object' && request !== null && 'approve' in request && request.approve !== null;

export const messageOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('GET', path, anySession, {
    id: 'messages.list',
    summary: 'Read a conversation: its latest messages, oldest first, and its linked issues',
    description:
      'The first page has the newest messages, and `nextCursor` leads to older ones. A page of very long ' +
      'messages (8 MB) ends before its limit. An unknown conversation is null and has no messages.',
    storable: true,
    replica: true,
    input: z.object({
      conversation_id: requiredText('conversation_id is required').describe('The id of the conversation.'),
      q: searchParameter('the message and its draft'),
      include: filterWords(
        'include',
        ['assignee', 'labels', 'channel', 'delivery', 'attachments'],
        'Fields to add to the conversation, and `delivery` and `attachments` to each message.',
      ),
      ...pageParameters(z.int(), defaultPageRows),
    }),
    output: z.strictObject({
      conversation: conversationSchema.nullable().describe('Null if there is no conversation with that id.'),
      messages: z.array(threadMessage),
      issues: z.array(linkedIssueSchema),
      nextCursor,
    }),
    failure: 'Failed to load the conversation.',
    example: {
      input: { conversation_id: exampleConversation.id },
      output: {
        conversation: exampleConversation,
        messages: [exampleMessage],
        issues: [{ id: 7, title: 'Invoices of March are not sent', status: 'Open', severity: 'High' }],
        nextCursor: null,
      },
    },
    otherExamples: {
      'The previous messages': {
        input: {
          conversation_id: exampleConversation.id,
          limit: 1,
          cursor: toCursor(['2026-01-31T09:30:00.000000Z', 2]),
        },
      },
    },
  }),

  defineOperation('POST', path, anySession, {
    id: 'messages.create',
    summary: "Reply to a visitor, deliver a visitor's message, or send a draft",
    description:
      "There are two forms. With `conversation_id` and `content`, it adds an admin's reply, or a visitor's " +
      'message if `sender_type` is `visitor`, which reopens a resolved or closed conversation. With ' +
      '`approve`, it sends the draft on that message as a reply; `content` replaces the text of the draft.',
    intake: (sent) => sent.sender_type === 'visitor' && !meansApproval(sent),
    changes: ['message.created', 'message.updated', 'conversation.updated'],
    input: z.union([ownMessage, approval], {
      error: ({ input, errors }) => errors[meansApproval(input) ? 1 : 0]?.[0]?.message,
    }),
    output: success.extend({ id: z.int() }),
    errors: [
      messageErrors.unknownConversation,
      messageErrors.unknownMessage,
      messageErrors.noDraft,
      messageErrors.draftWasSent,
      messageErrors.expectedWasSent,
    ],
    failure: 'Failed to send the message.',
    example: {
      input: { conversation_id: exampleConversation.id, content: 'It is in your inbox.' },
      output: { success: true, id: 2 },
    },
    otherExamples: {
      "A visitor's message": {
        input: { conversation_id: exampleConversation.id, content: 'Thank you!', sender_type: 'visitor' },
      },
      'A draft, only if it is still what you saw': {
        input: { approve: 1, expected: { ai_draft: exampleMessage.ai_draft } },
      },
      'A draft, edited': { input: { approve: 1, content: 'Gladly: it is in your inbox now.' } },
    },
  }),

  defineOperation('PUT', path, anySession, {
    id: 'messages.updateDraft',
    summary: "Propose, edit or reject a draft reply to a visitor's message",
    description:
      "A draft is a suggested reply on a visitor's message. A text proposes or replaces it, and null " +
      'rejects it. Nothing is sent: `POST` with `approve` sends it. An unknown id succeeds and changes ' +
      'nothing.',
    changes: ['message.updated'],
    input: z.object({
      id: rowId(idAndDraftRequired),
      ai_draft: z
        .unknown()
        .refine((draft) => draft !== undefined, { error: idAndDraftRequired, abort: true })
        .pipe(notBlank('ai_draft must not be blank. Use null to reject the draft.').nullable())
        .meta(
          shownAs({
            type: ['string', 'null'],
            pattern: '\\S',
            maxLength: maxTextLength,
            description: 'Null rejects the draft.',
          }),
        ),
      expected: expectedDraft,
    }),
    errors: [messageErrors.notOfVisitor, messageErrors.draftIsSent, messageErrors.expectedWasSent],
    failure: 'Failed to change the draft.',
    example: { input: { id: 1, ai_draft: 'Gladly. The invoice for March is in your inbox.' } },
    otherExamples: { 'Reject it': { input: { id: 1, ai_draft: null } } },
  }),

  defineOperation('POST', `${path}/retry`, anySession, {
    id: 'messages.retry',
    summary: 'Send the failed mail of a reply again',
    description:
      'Queues the mail again, with the same `Message-ID`, for the address that the visitor has now. Its state is in ' +
      '`GET /api/admin/messages?include=delivery`. An unknown id succeeds and changes nothing.',
    changes: ['message.delivered'],
    input: z.object({ id: rowId('id is required').describe('The id of the message.') }),
    errors: [messageErrors.notFailed, messageErrors.mailIsOff, messageErrors.noMailServer],
    failure: 'Failed to send the mail again.',
    example: { input: { id: 2 } },
  }),
] as const;
