import { z } from 'zod';
import { busy, invalid } from '../errors.ts';
import { conversations } from '../fields/conversations.ts';
import { conversationSorts } from '../fields/sorts.ts';
import { createShape, filterShape } from '../of-noun.ts';
import { anySession, defineOperation } from '../operation.ts';
import { includedInConversations } from '../schemas/assignees.ts';
import {
  bulkAnswer,
  conversationHistoryEntrySchema,
  conversationUpdate,
} from '../schemas/changes/changes.ts';
import {
  count,
  requiredText,
  requiredWord,
  shownAs,
  storedText,
  success,
  textOr,
} from '../schemas/fields.ts';
import { conversationSchema, exampleConversation, expectedConversation } from '../schemas/issues.ts';
import {
  defaultPageRows,
  filterText,
  listParameters,
  nextCursor,
  pageParameters,
  toCursor,
  total,
} from '../schemas/lists.ts';
import { optionalRowId, textIdsFilter } from '../schemas/row-ids.ts';
import { conversationStatuses } from '../vocabulary.ts';

const emailAndNameRequired = 'Visitor email and name are required.';
const conversationId = requiredText('id is required').describe('The id of the conversation.');
const idAndStatusRequired = 'id and status are required';

/** Accepts the id of a message, or nothing. */
const messageId = (name: string, description: string) =>
  optionalRowId(`${name} must be a message id.`, { type: ['integer', 'string', 'null'], description });

/** Refuses to add to an unknown conversation. Other changes of an unknown conversation succeed. */
export const unknownConversation = invalid('There is no conversation with that id.');

const { status: statusFilter, ...filters } = filterShape(conversations);

export const conversationOperations = [
  /** Contract 4.4. The parameters are beyond the contract; without them the answer is the contract's. */
  defineOperation('GET', '/api/admin/conversations', anySession, {
    id: 'conversations.list',
    summary: 'List conversations with their last message and unread count',
    description:
      'Last updated first. Without `limit`, the whole list is streamed. A new message updates its ' +
      'conversation; reading does not.',
    storable: true,
    input: z.object({
      id: textIdsFilter('id', 'Only the conversations with these ids.'),
      status: statusFilter,
      unread: z
        .literal([true, 'true', false, 'false', ''], { error: 'unread must be true or false.' })
        .optional()
        .transform((unread) => unread === true || unread === 'true')
        .meta(
          shownAs({ type: 'boolean', description: '`true` lists only conversations with unread messages.' }),
        ),
      visitor_email: filterText('Only conversations of the visitor with this e-mail address, in any case.'),
      ...filters,
      include: includedInConversations,
      ...listParameters(
        z.string(),
        "the id, the visitor's name and e-mail, the subject and the labels",
        conversationSorts,
      ),
    }),
    output: z.strictObject({
      conversations: z.array(conversationSchema),
      nextCursor,
      total,
      unread_total: count.optional().describe('With `count=1`: how many of them have unread messages.'),
    }),
    rows: 'conversations',
    failure: 'Failed to load conversations.',
    replica: true,
    example: { output: { conversations: [exampleConversation] } },
    otherExamples: {
      'With their assignees': {
        input: { assignee: 'none', include: 'assignee' },
        output: { conversations: [{ ...exampleConversation, assignee: null }] },
      },
      'A page': {
        input: { limit: 1, unread: true },
        output: {
          conversations: [exampleConversation],
          nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', exampleConversation.id]),
        },
      },
    },
  }),

  /** Contract 4.5. */
  defineOperation('POST', '/api/admin/conversations', anySession, {
    id: 'conversations.create',
    summary: 'Start a conversation with a visitor',
    description: "The conversation is `open`. A first message, if given, is the visitor's.",
    intake: true,
    changes: ['conversation.created', 'message.created'],
    input: z.object({
      visitor_email: storedText(emailAndNameRequired),
      visitor_name: storedText(emailAndNameRequired),
      ...createShape(conversations),
      initial_message: textOr(''),
    }),
    output: success.extend({ conversation: z.strictObject({ id: z.string() }) }),
    failure: 'Failed to create conversation.',
    example: {
      input: {
        visitor_email: 'ada@example.com',
        visitor_name: 'Ada Byron',
        subject: 'An invoice for March',
        initial_message: 'Could you send it again?',
      },
      output: { success: true, conversation: { id: exampleConversation.id } },
    },
  }),

  /** Beyond the contract, like all below. */
  defineOperation('PUT', '/api/admin/conversations', anySession, {
    id: 'conversations.changeStatus',
    summary: 'Change the status of a conversation',
    description:
      "Any status may follow any other. A visitor's message reopens a resolved or closed conversation. An " +
      'unknown id succeeds and changes nothing.',
    changes: ['conversation.updated'],
    input: z.object({
      id: requiredText(idAndStatusRequired).describe('The id of the conversation.'),
      status: requiredWord(conversationStatuses, idAndStatusRequired, conversations.fields.status.wrong),
      expected: expectedConversation,
    }),
    failure: 'Failed to change the status.',
    example: { input: { id: exampleConversation.id, status: 'resolved' } },
    otherExamples: {
      'Only if it is still open': {
        input: { id: exampleConversation.id, status: 'resolved', expected: { status: 'open' } },
      },
    },
  }),

  defineOperation('PATCH', '/api/admin/conversations', anySession, {
    id: 'conversations.update',
    summary: 'Change the status of conversations, assign them, or mark them as read',
    description:
      'Takes at most 10,000 conversations. A call is one transaction, and causes one event `conversations.updated`. Unknown ' +
      'ids are no error. `POST /api/admin/changes/undo` undoes the change.',
    changes: ['conversations.updated'],
    input: conversationUpdate,
    output: bulkAnswer,
    errors: [busy],
    failure: 'Failed to change the conversations.',
    example: {
      input: { ids: [exampleConversation.id], set: { status: 'resolved', read: true } },
      output: {
        success: true,
        matched: 1,
        changed: 1,
        unchanged: 0,
        unknown: [],
        remaining: 0,
        change_id: 18,
      },
    },
    otherExamples: {
      'The labels': {
        input: {
          ids: [exampleConversation.id],
          set: { add_labels: ['billing'], remove_labels: ['invoices'] },
        },
      },
      'One conversation, only if it is still open': {
        input: { ids: [exampleConversation.id], set: { status: 'resolved' }, expected: { status: 'open' } },
      },
    },
  }),

  defineOperation('DELETE', '/api/admin/conversations', anySession, {
    id: 'conversations.delete',
    summary: 'Delete a conversation and its messages',
    description:
      'Also deletes its messages, its comments and its links to issues. The issues stay. An unknown id succeeds. This ' +
      'cannot be undone.',
    changes: ['conversation.deleted', 'link.deleted'],
    input: z.object({ id: conversationId }),
    failure: 'Failed to delete the conversation.',
    example: { input: { id: exampleConversation.id } },
  }),

  defineOperation('POST', '/api/admin/conversations/read', anySession, {
    id: 'conversations.read',
    summary: "Mark a visitor's messages as read",
    description:
      "Gives the visitor's messages the status `read`, all of them or those up to `up_to`. The " +
      'conversation keeps its position in the list. An unknown id succeeds.',
    changes: ['conversation.updated'],
    input: z.object({
      id: conversationId,
      up_to: messageId(
        'up_to',
        'The highest message id that the reader has seen. Later messages stay unread. Without it, all become read.',
      ),
    }),
    output: success.extend({ read: count }),
    failure: 'Failed to mark the conversation as read.',
    example: { input: { id: exampleConversation.id, up_to: 1 }, output: { success: true, read: 1 } },
  }),

  defineOperation('POST', '/api/admin/conversations/unread', anySession, {
    id: 'conversations.unread',
    summary: "Mark a visitor's messages as unread, so that somebody looks at them again",
    description:
      "Gives the visitor's newest message the status `sent` again, or all of the visitor's messages from `from` on. The " +
      'conversation keeps its position in the list. An unknown id succeeds.',
    changes: ['conversation.updated'],
    input: z.object({
      id: conversationId,
      from: messageId(
        'from',
        "The lowest message id to mark. Without it, only the visitor's newest message becomes unread.",
      ),
    }),
    output: success.extend({ unread: count }),
    failure: 'Failed to mark the conversation as unread.',
    example: { input: { id: exampleConversation.id }, output: { success: true, unread: 1 } },
  }),

  defineOperation('GET', '/api/admin/conversations/history', anySession, {
    id: 'conversations.history',
    summary: 'List the changes of a conversation, newest first',
    description:
      'One entry for each field of each change: the status, the assignee, and `read` for messages that a change of ' +
      'several conversations has marked as read. Changes by SQL are not recorded, and neither are messages. Entries are kept ' +
      'for the days of the setting `history_retention_days`, 365 by default, and as long as the conversation exists.',
    replica: true,
    input: z.object({
      id: conversationId,
      ...pageParameters(z.int(), defaultPageRows),
    }),
    output: z.strictObject({ history: z.array(conversationHistoryEntrySchema), nextCursor }),
    failure: 'Failed to load the history.',
    example: {
      input: { id: exampleConversation.id },
      output: {
        history: [
          {
            change_id: 18,
            field: 'status',
            before: 'open',
            after: 'resolved',
            actor: 'grace@example.com',
            door: 'http',
            at: '2026-01-31T09:30:00.000Z',
            messages: null,
          },
        ],
        nextCursor: null,
      },
    },
  }),
] as const;
