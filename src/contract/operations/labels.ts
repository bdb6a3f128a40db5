import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { busy, conflict, type DocumentedError } from '../errors.ts';
import { maxChangedRows } from '../fields/bounds.ts';
import { anySession, defineOperation, managers } from '../operation.ts';
import { count, success } from '../schemas/fields.ts';
import { searchParameter } from '../schemas/filters.ts';
import { givenLabel, labelName } from '../schemas/labels.ts';

const path = '/api/admin/labels';

/** The error of a change of a label that too many rows have. */
export const labelOfTooMany: DocumentedError = conflict(
  `More than ${groupDigits(maxChangedRows)} issues or conversations have this label. Change them by a filter first, ` +
    'in several calls.',
  'name',
);

const changes = {
  issues: count.describe('The issues that had the label.'),
  conversations: count.describe('The conversations that had the label.'),
  change_ids: z
    .array(z.int())
    .describe(
      'Each undoes the change of the issues or of the conversations. `POST /api/admin/changes/undo` takes one.',
    ),
};

/* Everything here is beyond the contract. */

export const labelOperations = [
  defineOperation('GET', path, anySession, {
    id: 'labels.list',
    summary: 'List the labels of issues and conversations',
    description:
      'In the order of the alphabet, with how many rows have each. A label is there once somebody has used it, and stays until ' +
      'it is deleted.',
    replica: true,
    input: z.object({ q: searchParameter('the label') }),
    output: z.strictObject({
      labels: z.array(
        z.strictObject({ name: z.string(), issues: count, conversations: count }).meta({ id: 'Label' }),
      ),
    }),
    failure: 'Failed to load the labels.',
    example: { output: { labels: [{ name: 'billing', issues: 3, conversations: 1 }] } },
  }),

  defineOperation('PUT', path, managers, {
    id: 'labels.rename',
    summary: 'Rename a label, or merge it into another',
    description:
      'Every issue and conversation with the label gets the new one instead. If that exists already, the two become one. The ' +
      'history of the rows has the change. An unknown label succeeds and changes nothing.',
    changes: ['label.updated', 'issues.updated', 'conversations.updated'],
    load: 'bulk',
    input: z.object({ name: givenLabel, new_name: labelName }),
    output: success.extend({ ...changes }),
    errors: [labelOfTooMany, busy],
    failure: 'Failed to rename the label.',
    example: {
      input: { name: 'invoices', new_name: 'billing' },
      output: { success: true, issues: 3, conversations: 1, change_ids: [17, 18] },
    },
  }),

  defineOperation('DELETE', path, managers, {
    id: 'labels.delete',
    summary: 'Delete a label',
    description:
      'Takes it off every issue and conversation. The history of the rows has the change. An unknown label succeeds.',
    changes: ['label.deleted', 'issues.updated', 'conversations.updated'],
    load: 'bulk',
    input: z.object({ name: givenLabel }),
    output: success.extend({ ...changes }),
    errors: [labelOfTooMany, busy],
    failure: 'Failed to delete the label.',
    example: {
      input: { name: 'billing' },
      output: { success: true, issues: 3, conversations: 0, change_ids: [17] },
    },
  }),
] as const;
