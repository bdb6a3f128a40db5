import { z } from 'zod';
import { type DocumentedError, forbidden } from '../errors.ts';
import { anySession, defineOperation } from '../operation.ts';
import { maxTextLength } from '../schemas/bounds.ts';
import { expectedFields } from '../schemas/changes/expected.ts';
import { notBlank, rowWithExample, shownAs, success, timestamp } from '../schemas/fields.ts';
import { searchParameter } from '../schemas/filters.ts';
import { exampleConversation } from '../schemas/issues.ts';
import { defaultPageRows, nextCursor, pageParameters, toCursor } from '../schemas/lists.ts';
import { optionalConversationId, optionalRowId, rowId, shownRowId } from '../schemas/row-ids.ts';
import { unknownConversation } from './conversations.ts';
import { linkErrors } from './links.ts';

/** Who wrote a comment. It outlives the account: see the descriptions. */
const commentAuthorSchema = z
  .strictObject({
    id: z
      .string()
      .nullable()
      .describe('The id of the admin, also after its deletion; null for an API token or operator.'),
    email: z
      .string()
      .nullable()
      .describe(
        "The admin's e-mail, or after its deletion the one it had when it wrote the comment; null for an API token or " +
          'operator.',
      ),
    username: z.string().describe("The admin's name, likewise, or that of the token or operator."),
  })
  .meta({ id: 'CommentAuthor' });

export const { schema: commentSchema, example: exampleComment } = rowWithExample('Comment', {
  id: [z.int(), 3],
  issue_id: [z.int().nullable(), 7],
  conversation_id: [z.string().nullable(), null],
  author: [
    commentAuthorSchema.nullable().describe('Null if it is not known.'),
    { id: 'admin_1769851800000_k3x9a2', email: 'grace@example.com', username: 'grace' },
  ],
  content: [z.string(), 'Only with Safari 17. I ask the payment provider.'],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  updated_at: [timestamp, '2026-01-31T09:30:00.000Z'],
});

const path = '/api/admin/comments';

const idAndContentRequired = 'id and content are required';

/** The errors that depend on stored comments, issues and conversations. */
export const commentErrors = {
  unknownIssue: linkErrors.unknownIssue,
  unknownConversation,
  notAuthor: forbidden('Only its author can edit a comment.'),
  notAuthorOrManager: forbidden('Only its author or an admin can delete a comment.'),
} as const satisfies Readonly<Record<string, DocumentedError>>;

const subjectFields = {
  issue_id: optionalRowId('issue_id must be the id of an issue.', {
    ...shownRowId,
    description: 'The id of the issue.',
  }),
  conversation_id: optionalConversationId({
    type: 'string',
    minLength: 1,
    description: 'The id of the conversation.',
  }),
};

/** Reports whether exactly one of the fields is given. */
const isOne = (...fields: readonly unknown[]) => fields.filter((field) => field !== undefined).length === 1;

/** Documents the form of a new comment on that subject. */
function shownOn(subject: 'issue_id' | 'conversation_id', shownId: object) {
  return {
    title: subject === 'issue_id' ? 'On an issue' : 'On a conversation',
    type: 'object',
    required: [subject, 'content'],
    properties: {
      [subject]: shownId,
      content: { type: 'string', pattern: '\\S', maxLength: maxTextLength },
    },
    additionalProperties: false,
  };
}

export const commentOperations = [
  /** Beyond the contract, like all below. Its pages are like those of a conversation's messages. */
  defineOperation('GET', path, anySession, {
    id: 'comments.list',
    summary: 'Read the latest comments on an issue or a conversation, oldest first',
    description:
      'The first page has the newest comments, and `nextCursor` leads to older ones. A page of very long comments ends ' +
      'before its limit. `id` reads a single comment, for example that of an event, whose text is cut.',
    storable: true,
    replica: true,
    input: z
      .object({
        id: optionalRowId('id must be the id of a comment.', {
          ...shownRowId,
          description: 'The id of a single comment.',
        }),
        ...subjectFields,
        q: searchParameter('the content'),
        ...pageParameters(z.int(), defaultPageRows),
      })
      .refine(({ id, issue_id, conversation_id }) => isOne(id, issue_id, conversation_id), {
        error: 'Exactly one of id, issue_id and conversation_id is required.',
      }),
    output: z.strictObject({ comments: z.array(commentSchema), nextCursor }),
    failure: 'Failed to load the comments.',
    example: { input: { issue_id: 7 }, output: { comments: [exampleComment], nextCursor: null } },
    otherExamples: {
      'The previous comments on a conversation': {
        input: {
          conversation_id: exampleConversation.id,
          limit: 1,
          cursor: toCursor(['2026-01-31T09:30:00.000000Z', 4]),
        },
      },
    },
  }),

  defineOperation('POST', path, anySession, {
    id: 'comments.create',
    summary: 'Comment on an issue or a conversation; visitors never see it',
    description:
      'Comments are for the team alone: they are no messages, and no answer for visitors has them. A comment neither ' +
      'moves a conversation in its list nor reopens it, and is deleted with its issue or conversation.',
    changes: ['comment.created'],
    input: z
      .object({ ...subjectFields, content: notBlank('content is required') })
      .refine(({ issue_id, conversation_id }) => isOne(issue_id, conversation_id), {
        error: 'Either issue_id or conversation_id is required, not both.',
      })
      .meta(
        shownAs({
          oneOf: [
            shownOn('issue_id', shownRowId),
            shownOn('conversation_id', { type: 'string', minLength: 1 }),
          ],
        }),
      ),
    output: success.extend({ comment: z.strictObject({ id: z.int() }) }),
    errors: [commentErrors.unknownIssue, commentErrors.unknownConversation],
    failure: 'Failed to add the comment.',
    example: {
      input: { issue_id: 7, content: exampleComment.content },
      output: { success: true, comment: { id: exampleComment.id } },
    },
    otherExamples: {
      'On a conversation': {
        input: { conversation_id: exampleConversation.id, content: 'The same customer wrote in March.' },
      },
    },
  }),

  defineOperation('PUT', path, anySession, {
    id: 'comments.update',
    summary: "Edit one's own comment",
    description: 'Only the author may edit a comment. An unknown id succeeds and changes nothing.',
    changes: ['comment.updated'],
    input: z.object({
      id: rowId(idAndContentRequired),
      content: notBlank(idAndContentRequired),
      expected: expectedFields({ content: z.string() }, 'comment', 'content is now Not only with Safari 17.'),
    }),
    errors: [commentErrors.notAuthor],
    failure: 'Failed to edit the comment.',
    example: { input: { id: exampleComment.id, content: 'Only with Safari 17.' } },
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'comments.delete',
    summary: "Delete one's own comment, or as an admin anybody's",
    description:
      'The role `user` may delete only its own comments; `admin` and `superadmin` may delete all. An unknown id succeeds.',
    changes: ['comment.deleted'],
    input: z.object({ id: rowId('id is required') }),
    errors: [commentErrors.notAuthorOrManager],
    failure: 'Failed to delete the comment.',
    example: { input: { id: exampleComment.id } },
  }),
] as const;
