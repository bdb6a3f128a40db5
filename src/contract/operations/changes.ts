import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { busy, type DocumentedError, invalidField } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { changeHours } from '../schemas/changes/changes.ts';
import { count } from '../schemas/fields.ts';
import { rowId } from '../schemas/row-ids.ts';

const changeIdRequired = 'change_id is required';

/** The errors of changes that the caller cannot undo. */
export const undoErrors = {
  unknown: invalidField('change_id', 'There is no change with that change_id.'),
  notOwn: {
    code: 'forbidden',
    text: 'Only a superadmin can undo the change of another person.',
    param: 'change_id',
  },
  tooLate: {
    code: 'forbidden',
    param: 'change_id',
    text: `You can undo your own changes for ${changeHours} hours. Ask a superadmin to undo an older one.`,
  },
} as const satisfies Readonly<Record<string, DocumentedError>>;

/** Beyond the contract. */
const undoChange = defineOperation({
  id: 'changes.undo',
  summary: 'Undo a change of issues or conversations',
  description:
    'Puts back only what still has the value that the change set and that nobody has changed since. Later changes that ' +
    'were undone do not count, so changes can be undone one after another, the last one first. An undo is a change too: ' +
    'undoing it redoes the first one. The author of a change may undo it for 24 hours, a superadmin at any time, as long as ' +
    'its history is kept.',
  method: 'POST',
  path: '/api/admin/changes/undo',
  allow: anySession,
  changes: ['issues.updated', 'conversations.updated'],
  load: 'bulk',
  input: z.object({ change_id: rowId(changeIdRequired) }),
  output: z.strictObject({
    success: z.literal(true),
    restored: count.meta({ description: 'The issues or conversations that were put back.' }),
    left: count.meta({
      description:
        'Those of which something was left as it is, because it was changed or deleted since. One that was put back in part ' +
        'counts in both.',
    }),
    change_id: z.int().nullable().meta({ description: 'Undoes the undo. Null if nothing was restored.' }),
  }),
  errors: [...Object.values(undoErrors), busy],
  failure: 'Failed to undo the change.',
  example: {
    input: { change_id: 17 },
    output: { success: true, restored: 38, left: 2, change_id: 18 },
  },
});

export const changeOperations = [undoChange] as const;
