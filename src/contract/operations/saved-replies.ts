import { z } from 'zod';
import { groupDigits } from '../../shared/text/group-digits.ts';
import { anySession } from '../access-rules.ts';
import type { DocumentedError } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { tooLong } from '../schemas/bounds.ts';
import { expectedFields } from '../schemas/changes/expected.ts';
import { notBlank, optional, shownAs, someChanges, success } from '../schemas/fields.ts';
import { limitParameter } from '../schemas/lists.ts';
import { notPlain, plainLine } from '../schemas/plain-line.ts';
import { rowId } from '../schemas/row-ids.ts';
import { exampleReply, savedReplySchema } from '../schemas/saved-replies.ts';
import { searchParameter } from '../schemas/search.ts';

const path = '/api/admin/saved-replies';
const maxTitleLength = 200;
const maxContentLength = 10_000;
/** A list for people to choose from, which is answered whole. */
export const maxSavedReplies = 1_000;

const shortcutPattern = '^[A-Za-z0-9_-]{1,50}$';
const requiredFields = 'shortcut, title and content are required';
const wrongShortcut = 'shortcut must be 1 to 50 letters from a to z, digits, hyphens and underscores.';
const wrongTitle = 'title must not be blank.';
const wrongContent = 'content must not be blank.';
const idRequired = 'id is required';
const noFields = 'No fields to update.';
const _titleTooLong = tooLong('title', maxTitleLength);
const _titleNotPlain = notPlain('title');
const _contentTooLong = tooLong('content', maxContentLength);

export const savedReplyErrors = {
  shortcutTaken: {
    code: 'conflict',
    text: 'A saved reply with this shortcut already exists.',
    param: 'shortcut',
  },
  tooMany: {
    code: 'conflict',
    text: `There are ${groupDigits(maxSavedReplies)} saved replies already. Delete one first.`,
  },
} as const satisfies Readonly<Record<string, DocumentedError>>;

const shownShortcut = {
  type: 'string',
  pattern: shortcutPattern,
  description:
    'What people type to find it. Letters from a to z, digits, hyphens and underscores. Unique; case is ignored.',
};
const shownText = (maxLength: number) => ({ type: 'string', pattern: '\\S', maxLength });

const shortcut = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, { error: missing })
    .regex(new RegExp(shortcutPattern), { error: wrongShortcut })
    .meta(shownAs(shownShortcut));

/** Beyond the contract, like all below. */
const listSavedReplies = defineOperation({
  id: 'savedReplies.list',
  summary: 'List saved replies, by shortcut',
  description:
    'There are at most 1,000, so the list is answered whole. The sender fills in the placeholders first: ' +
    '`{{visitor_name}}`, `{{admin_name}}` and `{{conversation_id}}`.',
  method: 'GET',
  path,
  allow: anySession,
  storable: true,
  input: z.object({
    q: searchParameter('the shortcut, the title and the content'),
    limit: limitParameter(undefined, 'The maximum number of saved replies.'),
  }),
  output: z.strictObject({ saved_replies: z.array(savedReplySchema) }),
  failure: 'Failed to load the saved replies.',
  example: { output: { saved_replies: [exampleReply] } },
  otherExamples: { 'A search': { input: { q: 'parcel', limit: 10 } } },
});

const createSavedReply = defineOperation({
  id: 'savedReplies.create',
  summary: 'Save a reply',
  description:
    'Everybody may save replies, and everybody sees all of them. Two shortcuts that differ only in case are the same.',
  method: 'POST',
  path,
  allow: anySession,
  changes: ['saved_reply.created'],
  input: z.object({
    shortcut: shortcut(requiredFields),
    title: plainLine(notBlank(requiredFields, maxTitleLength), 'title'),
    content: notBlank(requiredFields, maxContentLength),
  }),
  output: z.strictObject({ success: z.literal(true), saved_reply: z.strictObject({ id: z.int() }) }),
  errors: [savedReplyErrors.shortcutTaken, savedReplyErrors.tooMany],
  failure: 'Failed to create the saved reply.',
  example: {
    input: { shortcut: exampleReply.shortcut, title: exampleReply.title, content: exampleReply.content },
    output: { success: true, saved_reply: { id: 1 } },
  },
});

const updateSavedReply = defineOperation({
  id: 'savedReplies.update',
  summary: 'Change a saved reply',
  description:
    'Only the fields present are changed; null counts as absent. An unknown id succeeds and changes nothing.',
  method: 'PUT',
  path,
  allow: anySession,
  changes: ['saved_reply.updated'],
  input: someChanges(
    {
      id: rowId(idRequired),
      shortcut: optional(shortcut(wrongShortcut)).meta(shownAs(shownShortcut)),
      title: optional(plainLine(notBlank(wrongTitle, maxTitleLength), 'title')).meta(
        shownAs(shownText(maxTitleLength)),
      ),
      content: optional(notBlank(wrongContent, maxContentLength)).meta(shownAs(shownText(maxContentLength))),
      expected: expectedFields(
        { shortcut: z.string(), title: z.string(), content: z.string() },
        'saved reply',
        'title is now Parcel has left',
      ),
    },
    noFields,
    ['id', 'expected'],
  ),
  output: success,
  errors: [savedReplyErrors.shortcutTaken],
  failure: 'Failed to update the saved reply.',
  example: { input: { id: 1, title: 'The parcel is on its way' }, output: { success: true } },
});

const deleteSavedReply = defineOperation({
  id: 'savedReplies.delete',
  summary: 'Delete a saved reply',
  description: 'Its shortcut is free again. An unknown id succeeds.',
  method: 'DELETE',
  path,
  allow: anySession,
  changes: ['saved_reply.deleted'],
  input: z.object({ id: rowId(idRequired) }),
  output: success,
  failure: 'Failed to delete the saved reply.',
  example: { input: { id: 1 }, output: { success: true } },
});

export const savedReplyOperations = [
  listSavedReplies,
  createSavedReply,
  updateSavedReply,
  deleteSavedReply,
] as const;
