import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { maxEventIds } from '../schemas/changes/changes.ts';
import { count } from '../schemas/fields.ts';

/** The data of every event of a bulk change. */
export const bulkFields = <Id extends z.ZodType>(id: Id) => ({
  ids: z
    .array(id)
    .max(maxEventIds)
    .meta({ description: `The first ${groupDigits(maxEventIds)} ids.` }),
  count: count.meta({ description: 'How many rows it is, all ids together.' }),
});

/** The data of an event of a change that can be undone, or of an undo. */
export const changeFields = <Id extends z.ZodType, Set extends z.ZodType>(id: Id, set: Set) => ({
  change_id: z.int(),
  ...bulkFields(id),
  set: set.optional().meta({ description: 'What the change set. Absent if it undoes another.' }),
  undoes: z.int().optional().meta({ description: 'The `change_id` of the change that it undoes.' }),
});
