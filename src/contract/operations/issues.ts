import { z } from 'zod';
import { anySession, managers } from '../access-rules.ts';
import { busy, invalid } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import {
  assigneeErrors,
  assigneeParameter,
  exampleAssignee,
  includeParameter,
} from '../schemas/assignees.ts';
import { bulkAnswer } from '../schemas/changes.ts';
import { otherSortError } from '../schemas/cursors.ts';
import { changedMeanwhile } from '../schemas/expected.ts';
import { clamped, count, rowId, shownAs, success, textOr, toRowId } from '../schemas/fields.ts';
import {
  historyEntrySchema,
  invalidStatus,
  issueFilters,
  issueTitle,
  issueUpdate,
  issueUpdateErrors,
  searchedIssueTexts,
  statusFilterError,
  titleRequired,
} from '../schemas/issue-changes.ts';
import {
  exampleIssue,
  expectedIssue,
  issueSchema,
  issueStatisticsSchema,
  issueTrendSchema,
} from '../schemas/issues.ts';
import {
  countError,
  countParameter,
  listErrors,
  listParameters,
  nextCursor,
  pageErrors,
  pageParameters,
  sortError,
  sortParameter,
  toCursor,
  total,
} from '../schemas/lists.ts';
import { historySorts, issueSorts } from '../sorts.ts';
import { issueStatuses } from '../vocabulary.ts';
import { sourceErrors, sourceFields } from './links.ts';

const idAndStatusRequired = 'id and status are required';
const idRequired = 'id is required';
const maxDeletedIssues = 1_000;
const wrongIds = `id must be 1 to ${maxDeletedIssues.toLocaleString('en')} ids separated by commas.`;

export const defaultTrendDays = 30;
/** A leap year. */
export const maxTrendDays = 366;

/** Contract 4.1. The parameters besides `period` are beyond the contract; without them the answer is the contract's. */
const listIssues = defineOperation({
  id: 'issues.list',
  summary: 'List issues, or aggregate them for charts',
  description:
    'Newest first. Without `limit`, the whole list is streamed. With `period`, the answer is counts by ' +
    'severity, age, status and category instead of issues.',
  method: 'GET',
  path: '/api/admin/issues',
  allow: anySession,
  storable: true,
  input: z.object({
    period: z
      .string()
      .optional()
      .meta({
        description:
          'Absent or empty returns the list. Any other value returns the aggregate. `hourly` (24 hours), `daily` (30 days), ' +
          '`weekly` (84 days) and `monthly` (365 days) restrict severityData; other values do not.',
      }),
    id: z
      .union([z.string(), z.number()])
      .optional()
      .transform((id) => (id === undefined || id === '' ? undefined : toRowId(id)))
      .meta(shownAs({ type: 'integer', description: 'Only the issue with this id.' })),
    ...issueFilters,
    assignee: assigneeParameter,
    include: includeParameter,
    ...listParameters(z.int(), searchedIssueTexts, issueSorts),
  }),
  output: z.union([
    z.strictObject({ issues: z.array(issueSchema), nextCursor, total }),
    issueStatisticsSchema,
  ]),
  rows: 'issues',
  errors: [statusFilterError, ...assigneeErrors, sortError(issueSorts), ...listErrors],
  replica: true,
  example: { output: { issues: [exampleIssue] } },
  otherExamples: {
    'A page': {
      input: { limit: 1, status: 'Open' },
      output: { issues: [exampleIssue], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 1]) },
    },
    'With their assignees': {
      input: { assignee: 'me', include: 'assignee' },
      output: { issues: [{ ...exampleIssue, assignee: exampleAssignee }] },
    },
    'The aggregate': {
      input: { period: 'weekly' },
      output: {
        severityData: [{ period_label: 'Last 7 Days', severity: 'High', count: 1 }],
        severityTotals: [{ severity: 'High', count: 3 }],
        statusCounts: [
          { status: 'Closed', count: 2 },
          { status: 'Open', count: 1 },
        ],
        categoryCounts: [{ category: 'Payments', count: 3 }],
        totalIssues: 3,
      },
    },
  },
});

/** Contract 4.2. The link to a source is beyond the contract; without it the operation is the contract's. */
const createIssue = defineOperation({
  id: 'issues.create',
  summary: 'Report an issue',
  description:
    'A new issue is `Open`. Severity and category may be any text. With `conversation_id` or ' +
    '`scraping_error_id`, the issue is linked to its source in the same transaction.',
  method: 'POST',
  path: '/api/admin/issues',
  allow: anySession,
  changes: ['issue.created', 'link.created'],
  input: z.object({
    title: issueTitle,
    category: textOr('Other'),
    severity: textOr('Low'),
    description: textOr(''),
    steps_to_reproduce: textOr(''),
    ...sourceFields,
  }),
  output: z.strictObject({ success: z.literal(true), id: z.int() }),
  errors: [invalid(titleRequired), ...sourceErrors],
  example: {
    input: { title: 'Checkout button does nothing', category: 'Payments', severity: 'High' },
    output: { success: true, id: 1 },
  },
  otherExamples: {
    'From a conversation': {
      input: { title: 'Invoices of March are not sent', conversation_id: 'conv_1769851800000_k3x9a2b' },
    },
  },
});

/** Contract 4.3. `expected` is beyond the contract. */
const changeIssueStatus = defineOperation({
  id: 'issues.changeStatus',
  summary: 'Change the status of an issue',
  description: 'Any status may follow any other. An unknown id succeeds and changes nothing.',
  method: 'PUT',
  path: '/api/admin/issues',
  allow: anySession,
  changes: ['issue.updated'],
  input: z.object({
    id: rowId(idAndStatusRequired),
    status: z
      .unknown()
      .refine((status) => status !== undefined && status !== null && status !== '', {
        error: idAndStatusRequired,
        abort: true,
      })
      .pipe(z.enum(issueStatuses, { error: invalidStatus }))
      .meta(shownAs({ type: 'string', enum: issueStatuses })),
    expected: expectedIssue,
  }),
  output: success,
  errors: [
    invalid(idAndStatusRequired),
    invalid(invalidStatus),
    changedMeanwhile('status is now Resolved'),
    changedMeanwhile('the issue no longer exists'),
  ],
  example: { input: { id: 1, status: 'In Progress' }, output: { success: true } },
  otherExamples: {
    'Only if it is still open': { input: { id: 1, status: 'In Progress', expected: { status: 'Open' } } },
  },
});

/** Beyond the contract: the aggregate of 4.1 counts by age, this one by day. */
const showIssueTrend = defineOperation({
  id: 'issues.trend',
  summary: 'Count the issues reported on each of the last days',
  description:
    'One entry per day, today included, also for days without issues. Days start at midnight in the time ' +
    'zone of the setting `timezone`, which is UTC by default.',
  method: 'GET',
  path: '/api/admin/issues/trend',
  allow: anySession,
  storable: true,
  input: z.object({ days: clamped(defaultTrendDays, 1, maxTrendDays) }),
  output: issueTrendSchema,
  replica: true,
  example: {
    input: { days: 2 },
    output: {
      timezone: 'Europe/Berlin',
      days: [
        { date: '2026-01-30', count: 0, bySeverity: [] },
        {
          date: '2026-01-31',
          count: 3,
          bySeverity: [
            { severity: 'High', count: 1 },
            { severity: 'Low', count: 2 },
          ],
        },
      ],
    },
  },
});

/** Beyond the contract, like all below. */
const updateIssues = defineOperation({
  id: 'issues.update',
  summary: 'Change issues, by their ids or by a filter',
  description:
    'Changes at most 10,000 issues in one transaction, with one event `issues.updated`. If more match the filter, ' +
    '`remaining` says how many are left. The same call with the `change_id` of the answer goes on with the same change, ' +
    'for 24 hours and up to 50,000 issues. It changes no issue twice. Unknown ids are no error. ' +
    '`POST /api/admin/changes/undo` undoes the change.',
  method: 'PATCH',
  path: '/api/admin/issues',
  allow: anySession,
  changes: ['issues.updated'],
  input: issueUpdate,
  output: bulkAnswer,
  errors: [
    ...issueUpdateErrors,
    changedMeanwhile('status is now Resolved'),
    changedMeanwhile('the issue no longer exists'),
  ],
  example: {
    input: { ids: [1, 2, 99], set: { status: 'Closed' } },
    output: {
      success: true,
      matched: 2,
      changed: 1,
      unchanged: 1,
      unknown: [99],
      remaining: 0,
      change_id: 17,
    },
  },
  otherExamples: {
    'By a filter, only to see how many': {
      input: {
        filter: { status: 'Open', until: '2025-01-01T00:00:00Z' },
        set: { status: 'Closed' },
        dry_run: true,
      },
      output: {
        success: true,
        matched: 12_500,
        changed: 10_000,
        unchanged: 0,
        unknown: [],
        remaining: 2_500,
        change_id: null,
      },
    },
    'One issue, only if nobody has changed its title': {
      input: {
        ids: [1],
        set: { title: 'Checkout button does nothing' },
        expected: { title: 'Chekout button does nothing' },
      },
    },
  },
});

const deleteIssues = defineOperation({
  id: 'issues.delete',
  summary: 'Delete issues with everything that belongs to them',
  description:
    'Takes at most 1,000 issues. Their links, comments and history are deleted too. This cannot be undone. Unknown ids ' +
    'are no error.',
  method: 'DELETE',
  path: '/api/admin/issues',
  allow: managers,
  changes: ['issues.deleted'],
  input: z.object({
    id: z
      .union([z.string(), z.number()], { error: idRequired })
      .transform((ids) =>
        String(ids)
          .split(',')
          .map((id) => id.trim())
          .filter((id) => id !== ''),
      )
      .refine((ids) => ids.length > 0, { error: idRequired, abort: true })
      .refine((ids) => ids.length <= maxDeletedIssues, { error: wrongIds })
      .transform((ids) => ids.map(toRowId).filter((id) => id !== null))
      .meta(shownAs({ type: 'string', description: 'One id, or several separated by commas.' })),
  }),
  output: z.strictObject({ success: z.literal(true), deleted: count }),
  errors: [invalid(idRequired), invalid(wrongIds), busy],
  example: { input: { id: '1,2' }, output: { success: true, deleted: 2 } },
});

const listIssueHistory = defineOperation({
  id: 'issues.history',
  summary: 'List the changes of an issue, newest first',
  description:
    'One entry for each field of each change, through every interface of the service. Changes by SQL are not recorded. ' +
    'Entries are kept for the days of the setting `history_retention_days`, 365 by default, and as long as the issue exists.',
  method: 'GET',
  path: '/api/admin/issues/history',
  allow: anySession,
  storable: true,
  input: z.object({
    id: rowId(idRequired),
    sort: sortParameter(historySorts),
    count: countParameter,
    ...pageParameters(z.int(), undefined, historySorts),
  }),
  output: z.strictObject({ history: z.array(historyEntrySchema), nextCursor, total }),
  rows: 'history',
  errors: [invalid(idRequired), sortError(historySorts), ...pageErrors, countError, otherSortError, busy],
  replica: true,
  example: {
    input: { id: 1 },
    output: {
      history: [
        {
          change_id: 17,
          field: 'status',
          before: 'Open',
          after: 'Closed',
          actor: 'grace@example.com',
          door: 'http',
          at: '2026-01-31T09:30:00.000Z',
        },
      ],
    },
  },
});

export const issueOperations = [
  listIssues,
  createIssue,
  changeIssueStatus,
  updateIssues,
  deleteIssues,
  listIssueHistory,
  showIssueTrend,
] as const;
