import { z } from 'zod';
import { groupDigits } from '../../../shared/text.ts';
import { conflict, type DocumentedError, invalidField } from '../../errors.ts';
import { maxChangedRows, maxRowsOfChange } from '../../fields/bounds.ts';
import { conversations } from '../../fields/conversations.ts';
import { fieldsWith } from '../../fields/field.ts';
import { issues } from '../../fields/issues.ts';
import { type Changes, changeShape, filterShape } from '../../of-noun.ts';
import { count, optional, shownAs, timestamp } from '../fields.ts';
import { expectedConversation, expectedIssue } from '../issues.ts';
import { searchParameters } from '../lists.ts';
import { toRowId, writtenRowId } from '../row-ids.ts';
import { strictFields } from './expected.ts';

/** How long a change may be continued, and undone by its actor. */
export const changeHours = 24;
/** The ids that an event of a bulk change names. */
export const maxEventIds = 1_000;

const wrongId = { error: `ids must be a list of 1 to ${groupDigits(maxChangedRows)} ids.` };

function changedIds<Id extends z.ZodType>(id: Id) {
  return z.array(id, wrongId).min(1, wrongId).max(maxChangedRows, wrongId);
}

function changedFields<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.keys(shape).join(', ');
  return someFields('set', shape, `set must have at least one field to change: ${fields}.`);
}

/** Accepts an object of these fields with at least one. `empty` is the error if it has none, or is no object. */
function someFields<Shape extends z.ZodRawShape>(name: string, shape: Shape, empty: string) {
  return strictFields(name, shape, empty)
    .refine((fields) => Object.values(fields).some((value) => value !== undefined), { error: empty })
    .meta({ minProperties: 1 });
}

/** Accepts whether to only say what would happen. */
export const dryRun = z
  .boolean({ error: 'dry_run must be true or false.' })
  .nullish()
  .transform((value) => value ?? false)
  .describe('Changes nothing, and answers what the call would do. `change_id` is null then.');

export const bulkAnswer = z
  .strictObject({
    success: z.literal(true),
    matched: count.describe('The rows found: `changed`, `unchanged` and `remaining`.'),
    changed: count,
    unchanged: count.describe('The rows that had all these values already.'),
    unknown: z
      .array(z.union([z.int(), z.string()]))
      .describe('The ids that no row has. They are not an error.'),
    remaining: count.describe(
      'The rows that are left to change. Repeat the call with the `change_id` to go on.',
    ),
    change_id: z.int().nullable().describe('Undoes the change. Null if nothing changed.'),
  })
  .meta({ id: 'BulkChange' });

/** What the history says of each field that a change has set. */
const historyFields = {
  change_id: z.int().describe('What `POST /api/admin/changes/undo` takes.'),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  actor: z.string().describe('Who made the change.'),
  door: z.string().describe('The interface: http, cli, tui or job.'),
  at: timestamp,
};

const { status, ...others } = changeShape(conversations, 'set.');

const conversationFields = {
  status,
  read: optional(z.literal(true, { error: 'set.read must be true.' })).describe(
    "Marks the visitors' messages as read.",
  ),
  ...others,
};

export const conversationUpdate = z
  .object({
    ids: changedIds(z.string(wrongId)),
    set: changedFields(conversationFields),
    expected: expectedConversation,
    dry_run: dryRun,
  })
  .refine(({ ids, expected }) => expected === undefined || new Set(ids).size === 1, {
    error: 'expected needs exactly one id.',
  });

export const conversationHistoryEntrySchema = z
  .strictObject({
    ...historyFields,
    messages: count.nullable().describe('Of the field `read`: how many messages it is.'),
  })
  .meta({ id: 'ConversationHistoryEntry' });

/** The texts of an issue that a search looks at. */
export const searchedIssueTexts = 'the number, the title, the description, the steps and the labels';

/** What a change sets. An absent field stays as it is. */
export type IssueValues = Changes<typeof issues>;

/** What makes sense for one issue only. */
const singleFields = fieldsWith(issues, 'edit')
  .filter(([, { edit }]) => edit === 'one')
  .map(([name]) => name);

const eitherSelection = 'Send either ids or filter.';
const { assignee, ...filters } = filterShape(issues);
const changedIssues = { ...filters, ...searchParameters(searchedIssueTexts), assignee };
const emptyFilter = `filter must have at least one field: ${Object.keys(changedIssues).join(', ')}.`;
const wrongChangeId = 'change_id must be that of your earlier call with the same filter and set.';

/** Accepts the id of an issue. Keeps an id that no row can have, which is unknown, as a text. */
const issueId = writtenRowId(wrongId.error)
  .transform((id) => toRowId(id) ?? String(id))
  .meta(shownAs({ type: ['integer', 'string'] }));

export const issueUpdate = z
  .object({
    ids: changedIds(issueId).optional(),
    filter: someFields('filter', changedIssues, emptyFilter).optional(),
    set: changedFields(changeShape(issues, 'set.')),
    expected: expectedIssue,
    dry_run: dryRun,
    change_id: optional(z.int({ error: wrongChangeId })).describe(
      'Goes on with the change of an earlier call with the same filter and set.',
    ),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { error: eitherSelection })
  .refine(
    ({ ids, set, expected }) =>
      new Set(ids).size === 1 ||
      (expected === undefined &&
        singleFields.every((field) => (set as Readonly<Record<string, unknown>>)[field] === undefined)),
    { error: `${singleFields.join(', ')} and expected need exactly one id.` },
  )
  .refine(({ filter, change_id }) => filter !== undefined || change_id === undefined, {
    error: wrongChangeId,
  })
  .meta({
    override: {
      oneOf: [{ required: ['ids'] }, { required: ['filter'] }],
      dependentRequired: { change_id: ['filter'] },
    },
  });

/** The error of a `change_id` of another caller or with another request, or of no change at all. */
export const notContinuable = invalidField('change_id', wrongChangeId);

export const changeIsOver: DocumentedError = conflict(
  `This change cannot go on, because it was undone, is over ${changeHours} hours old, or has ` +
    `${groupDigits(maxRowsOfChange)} issues. Omit change_id to start another one.`,
  'change_id',
);

export const historyEntrySchema = z.strictObject(historyFields).meta({ id: 'HistoryEntry' });
