import { z } from 'zod';
import { groupDigits } from '../../../shared/text/group-digits.ts';
import { type DocumentedError, invalidField } from '../../errors.ts';
import { issueStatuses } from '../../vocabulary.ts';
import { assigneeId, assigneeParameter } from '../assignees.ts';
import { atMost, maxTextLength, maxTitleLength } from '../bounds.ts';
import { optional, optionalText, shownAs } from '../fields.ts';
import { filterText, filterTexts, filterWords } from '../filters.ts';
import { expectedIssue } from '../issues.ts';
import { searchParameters } from '../lists.ts';
import { toRowId, writtenRowId } from '../row-ids.ts';
import {
  changedFields,
  changedIds,
  changeHours,
  dryRun,
  historyFields,
  maxRowsOfChange,
  strictFields,
  wrongId,
} from './changes.ts';

const titleRequired = 'Title is required';
export const invalidStatus = `Invalid status. Must be one of: ${issueStatuses.join(', ')}`;

/** The title of an issue. */
export const issueTitle = atMost(
  z.string({ error: titleRequired }).trim().min(1, { error: titleRequired }),
  maxTitleLength,
).meta(
  shownAs({ type: 'string', pattern: '\\S', maxLength: maxTitleLength, description: 'Stored trimmed.' }),
);

const statusFilter = filterWords('status', issueStatuses, 'Only issues with this status.');

/** The texts of an issue that a search looks at. */
export const searchedIssueTexts = 'the number, the title, the description and the steps';
const searchIssues = searchParameters(searchedIssueTexts);

/** The parameters that select issues by their columns. */
export const issueFilters = {
  status: statusFilter.schema,
  severity: filterTexts('Only issues with this severity.'),
  category: filterText('Only issues with this category.'),
};

const named = (field: string) => {
  const error = `set.${field} must be a text that is not empty.`;
  return optional(atMost(z.string({ error }).min(1, { error }))).meta(
    shownAs({ type: ['string', 'null'], minLength: 1, maxLength: maxTextLength }),
  );
};

/** The columns of an issue that a change may set. */
const issueFields = {
  status: optional(z.enum(issueStatuses, { error: invalidStatus })),
  severity: named('severity'),
  category: named('category'),
  title: optional(issueTitle),
  description: optionalText,
  steps_to_reproduce: optionalText,
  assignee_id: assigneeId,
};

type IssueField = keyof typeof issueFields;
/** What a change sets. An absent field stays as it is. */
export type IssueValues = { readonly [Field in IssueField]?: z.output<(typeof issueFields)[Field]> };

/** What makes sense for one issue only. */
const singleFields = ['title', 'description', 'steps_to_reproduce'] as const satisfies readonly IssueField[];

const eitherSelection = 'Send either ids or filter.';
/** The parameters that select the issues of a change. */
const changedIssues = { ...issueFilters, ...searchIssues, assignee: assigneeParameter };
const emptyFilter = `filter must have at least one field: ${Object.keys(changedIssues).join(', ')}.`;
const oneIdOnly = `${singleFields.join(', ')} and expected need exactly one id.`;
const wrongChangeId = 'change_id must be that of your earlier call with the same filter and set.';

/** Accepts the id of an issue. Keeps an id that no row can have, which is unknown, as a text. */
const issueId = writtenRowId(wrongId.error)
  .transform((id) => toRowId(id) ?? String(id))
  .meta(shownAs({ type: ['integer', 'string'] }));

/** The input of a change of issues. */
export const issueUpdate = z
  .object({
    ids: changedIds(issueId).optional(),
    filter: strictFields('filter', changedIssues, emptyFilter).optional(),
    set: changedFields(issueFields),
    expected: expectedIssue,
    dry_run: dryRun,
    change_id: optional(z.int({ error: wrongChangeId })).meta({
      description: 'Goes on with the change of an earlier call with the same filter and set.',
    }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { error: eitherSelection })
  .refine(
    ({ ids, set, expected }) =>
      new Set(ids).size === 1 ||
      (expected === undefined && singleFields.every((field) => set[field] === undefined)),
    { error: oneIdOnly },
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

/** The error of a change that cannot go on. */
export const changeIsOver: DocumentedError = {
  code: 'conflict',
  param: 'change_id',
  text:
    `This change cannot go on, because it was undone, is over ${changeHours} hours old, or has ` +
    `${groupDigits(maxRowsOfChange)} issues. Omit change_id to start another one.`,
};

export const historyEntrySchema = z.strictObject(historyFields).meta({ id: 'HistoryEntry' });
