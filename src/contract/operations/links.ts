import { z } from 'zod';
import { conflict, type DocumentedError, invalidField } from '../errors.ts';
import { anySession, defineOperation } from '../operation.ts';
import { rowWithExample, shownAs, timestamp } from '../schemas/fields.ts';
import { exampleConversation } from '../schemas/issues.ts';
import { filterText, listParameters, nextCursor, toCursor, total } from '../schemas/lists.ts';
import {
  optionalConversationId,
  optionalRowId,
  rowId,
  rowIdsFilter,
  shownRowId,
} from '../schemas/row-ids.ts';
import { issueStatuses } from '../vocabulary.ts';
import { unknownConversation } from './conversations.ts';

const path = '/api/admin/links';

const endsRequired = 'issue_id and either conversation_id or scraping_error_id are required';

/** The errors of links whose ends do not exist or are linked already. */
export const linkErrors = {
  unknownIssue: invalidField('issue_id', 'There is no issue with that id.'),
  unknownConversation,
  unknownScrapingError: invalidField('scraping_error_id', 'There is no scraping error with that id.'),
  linked: conflict('This link exists already.'),
} as const satisfies Readonly<Record<string, DocumentedError>>;

/** The things that an issue may be linked to. An empty field, as sent by forms, counts as absent. */
export const sourceFields = {
  conversation_id: optionalConversationId({
    type: ['string', 'null'],
    description: 'The conversation that the issue comes from.',
  }),
  scraping_error_id: optionalRowId('scraping_error_id must be the id of a scraping error.', {
    type: ['integer', 'string', 'null'],
    description: 'The scraping error that the issue comes from.',
  }),
};

/** What handlers refuse of those fields. */
export const sourceErrors = [linkErrors.unknownConversation, linkErrors.unknownScrapingError];

const { schema: linkSchema, example: exampleLink } = rowWithExample('Link', {
  issue_id: [z.int(), 7],
  issue_title: [z.string(), 'Invoices of March are not sent'],
  issue_status: [z.enum(issueStatuses), 'Open'],
  conversation_id: [z.string().nullable(), exampleConversation.id],
  conversation_subject: [z.string().nullable(), exampleConversation.subject],
  scraping_error_id: [z.int().nullable(), null],
  scraping_error_message: [z.string().nullable(), null],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  created_by: [z.string().nullable().describe('Who made the link, if known.'), 'grace@example.com'],
});

/** An issue, and exactly one thing to link it to or unlink it from. */
const ends = z
  .object({ issue_id: rowId(endsRequired), ...sourceFields })
  .refine(
    ({ conversation_id, scraping_error_id }) =>
      (conversation_id === undefined) !== (scraping_error_id === undefined),
    { error: endsRequired },
  );

const absent = { type: ['string', 'null'], enum: ['', null], description: 'Absent, empty or null.' };
const shownForms = {
  oneOf: [
    {
      title: 'To a conversation',
      type: 'object',
      required: ['issue_id', 'conversation_id'],
      properties: {
        issue_id: shownRowId,
        conversation_id: { type: 'string', minLength: 1 },
        scraping_error_id: absent,
      },
    },
    {
      title: 'To a scraping error',
      type: 'object',
      required: ['issue_id', 'scraping_error_id'],
      properties: { issue_id: shownRowId, scraping_error_id: shownRowId, conversation_id: absent },
    },
  ],
};

export const linkOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('GET', path, anySession, {
    id: 'links.list',
    summary: 'List links between issues and their sources, newest first',
    description:
      'Each link has the title and status of its issue and names its source. Without `limit`, the whole list is streamed.',
    storable: true,
    input: z.object({
      issue_id: rowIdsFilter('issue_id', 'Only links of these issues.'),
      conversation_id: filterText('Only links to this conversation.'),
      scraping_error_id: rowIdsFilter('scraping_error_id', 'Only links to these scraping errors.'),
      ...listParameters(
        z.int(),
        'the number and title of the issue, the id and subject of the conversation, and the message of the error',
      ),
    }),
    output: z.strictObject({ links: z.array(linkSchema), nextCursor, total }),
    rows: 'links',
    failure: 'Failed to load the links.',
    replica: true,
    example: { input: { issue_id: 7 }, output: { links: [exampleLink] } },
    otherExamples: {
      'A page': {
        input: { limit: 1 },
        output: { links: [exampleLink], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 1]) },
      },
    },
  }),

  defineOperation('POST', path, anySession, {
    id: 'links.create',
    summary: 'Link an issue to a conversation or a scraping error',
    description:
      'Takes exactly one of `conversation_id` and `scraping_error_id`. Both ends must exist, and a link ' +
      'exists once.',
    changes: ['link.created'],
    input: ends.meta(shownAs(shownForms)),
    errors: [...sourceErrors, linkErrors.unknownIssue, linkErrors.linked],
    failure: 'Failed to link the issue.',
    example: { input: { issue_id: 7, conversation_id: exampleConversation.id } },
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'links.delete',
    summary: 'Remove the link between an issue and a conversation or a scraping error',
    description:
      'Takes exactly one of `conversation_id` and `scraping_error_id`. The issue and its source stay. A ' +
      'link that does not exist succeeds.',
    changes: ['link.deleted'],
    input: ends,
    failure: 'Failed to remove the link.',
    example: { input: { issue_id: 7, conversation_id: exampleConversation.id } },
  }),
] as const;
