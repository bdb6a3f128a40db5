import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { busy, type DocumentedError, forbidden, invalidField } from '../errors.ts';
import { maxDeletedRows } from '../fields/bounds.ts';
import { historySorts } from '../fields/sorts.ts';
import { anySession, defineOperation, managers } from '../operation.ts';
import {
  bulkAnswer,
  changeHours,
  changeIsOver,
  historyEntrySchema,
  issueUpdate,
  notContinuable,
} from '../schemas/changes/changes.ts';
import { count, shownAs, success } from '../schemas/fields.ts';
import { countParameter, nextCursor, pageParameters, sortParameter, total } from '../schemas/lists.ts';
import { rowId, toRowId } from '../schemas/row-ids.ts';

/** The errors of changes that the caller cannot undo. */
export const undoErrors = {
  unknown: invalidField('change_id', 'There is no change with that change_id.'),
  notOwn: forbidden('Only a superadmin can undo the change of another person.', 'change_id'),
  tooLate: forbidden(
    `You can undo your own changes for ${changeHours} hours. Ask a superadmin to undo an older one.`,
    'change_id',
  ),
} as const satisfies Readonly<Record<string, DocumentedError>>;

export const changeOperations = [
  /** Beyond the contract. */
  defineOperation('POST', '/api/admin/changes/undo', anySession, {
    id: 'changes.undo',
    summary: 'Undo a change of issues or conversations',
    description:
      'Puts back only what still has the value that the change set and that nobody has changed since. Later changes that ' +
      'were undone do not count, so changes can be undone one after another, the last one first. An undo is a change too: ' +
      'undoing it redoes the first one. The author of a change may undo it for 24 hours, a superadmin at any time, as long as ' +
      'its history is kept.',
    changes: ['issues.updated', 'conversations.updated'],
    load: 'bulk',
    input: z.object({ change_id: rowId('change_id is required') }),
    output: success.extend({
      restored: count.describe('The issues or conversations that were put back.'),
      left: count.describe(
        'Those of which something was left as it is, because it was changed or deleted since. One that was put back in part ' +
          'counts in both.',
      ),
      change_id: z.int().nullable().describe('Undoes the undo. Null if nothing was restored.'),
    }),
    errors: [...Object.values(undoErrors), busy],
    failure: 'Failed to undo the change.',
    example: {
      input: { change_id: 17 },
      output: { success: true, restored: 38, left: 2, change_id: 18 },
    },
  }),
] as const;

const idRequired = 'id is required';
const wrongIds = `id must be 1 to ${groupDigits(maxDeletedRows)} ids separated by commas.`;

/* Everything here is beyond the contract. */

export const issueChangeOperations = [
  defineOperation('PATCH', '/api/admin/issues', anySession, {
    id: 'issues.update',
    summary: 'Change issues, by their ids or by a filter',
    description:
      'Changes at most 10,000 issues in one transaction, with one event `issues.updated`. If more match the filter, ' +
      '`remaining` says how many are left. The same call with the `change_id` of the answer goes on with the same change, ' +
      'for 24 hours and up to 50,000 issues. It changes no issue twice. Unknown ids are no error. ' +
      '`POST /api/admin/changes/undo` undoes the change.',
    changes: ['issues.updated'],
    input: issueUpdate,
    output: bulkAnswer,
    errors: [notContinuable, changeIsOver],
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
      'The labels': { input: { ids: [1, 2], set: { add_labels: ['billing'], remove_labels: ['invoices'] } } },
      'One issue, only if nobody has changed its title': {
        input: {
          ids: [1],
          set: { title: 'Checkout button does nothing' },
          expected: { title: 'Chekout button does nothing' },
        },
      },
    },
  }),

  defineOperation('DELETE', '/api/admin/issues', managers, {
    id: 'issues.delete',
    summary: 'Delete issues with everything that belongs to them',
    description:
      'Takes at most 1,000 issues. Their links, comments and history are deleted too. This cannot be undone. Unknown ids ' +
      'are no error.',
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
        .refine((ids) => ids.length <= maxDeletedRows, { error: wrongIds })
        .transform((ids) => ids.map(toRowId).filter((id) => id !== null))
        .meta(shownAs({ type: 'string', description: 'One id, or several separated by commas.' })),
    }),
    output: success.extend({ deleted: count }),
    errors: [busy],
    example: { input: { id: '1,2' }, output: { success: true, deleted: 2 } },
  }),

  defineOperation('GET', '/api/admin/issues/history', anySession, {
    id: 'issues.history',
    summary: 'List the changes of an issue, newest first',
    description:
      'One entry for each field of each change, through every interface of the service. Changes by SQL are not recorded. ' +
      'Entries are kept for the days of the setting `history_retention_days`, 365 by default, and as long as the issue exists.',
    storable: true,
    input: z.object({
      id: rowId(idRequired),
      sort: sortParameter(historySorts),
      count: countParameter,
      ...pageParameters(z.int(), undefined, historySorts),
    }),
    output: z.strictObject({ history: z.array(historyEntrySchema), nextCursor, total }),
    rows: 'history',
    errors: [busy],
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
  }),
] as const;
