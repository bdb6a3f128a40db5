import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { defineOperation } from '../operation.ts';
import { assigneeParameter, exampleAssignee, includeParameter } from '../schemas/assignees.ts';
import {
  invalidStatus,
  issueFilters,
  issueTitle,
  searchedIssueTexts,
} from '../schemas/changes/issue-changes.ts';
import { shownAs, success, textOr } from '../schemas/fields.ts';
import { exampleIssue, expectedIssue, issueSchema, issueStatisticsSchema } from '../schemas/issues.ts';
import { listParameters, nextCursor, toCursor, total } from '../schemas/lists.ts';
import { rowId, rowIdFilter } from '../schemas/row-ids.ts';
import { issueSorts } from '../sorts.ts';
import { issueStatuses } from '../vocabulary.ts';
import { sourceErrors, sourceFields } from './links.ts';

const idAndStatusRequired = 'id and status are required';

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
    id: rowIdFilter('Only the issue with this id.'),
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
  errors: sourceErrors,
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
  example: { input: { id: 1, status: 'In Progress' }, output: { success: true } },
  otherExamples: {
    'Only if it is still open': { input: { id: 1, status: 'In Progress', expected: { status: 'Open' } } },
  },
});

export const issueOperations = [listIssues, createIssue, changeIssueStatus] as const;
