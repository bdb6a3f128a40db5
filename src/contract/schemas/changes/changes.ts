import { z } from 'zod';
import { groupDigits } from '../../../shared/text.ts';
import { count, timestamp } from '../fields.ts';

/** The rows that one call changes at most. */
export const maxChangedRows = 10_000;
/** The rows that one change has at most, over all its calls: an undo is one transaction. */
export const maxRowsOfChange = 50_000;
/** How long a change may be continued, and undone by its actor. */
export const changeHours = 24;
/** The ids that an event of a bulk change names. */
export const maxEventIds = 1_000;

const wrongIds = `ids must be a list of 1 to ${groupDigits(maxChangedRows)} ids.`;
const wrongDryRun = 'dry_run must be true or false.';
const emptySet = (fields: readonly string[]) =>
  `set must have at least one field to change: ${fields.join(', ')}.`;

/** Accepts the ids of the rows that a change selects. */
export function changedIds<Id extends z.ZodType>(id: Id) {
  return z
    .array(id, { error: wrongIds })
    .min(1, { error: wrongIds })
    .max(maxChangedRows, { error: wrongIds });
}

/** The error of each id that is not one, for the schema of an id. */
export const wrongId = { error: wrongIds };

/**
 * Accepts `set`: the fields to change, with their new values. An unknown field is an error, because a misspelt one would
 * change nothing.
 */
export function changedFields<Shape extends z.ZodRawShape>(shape: Shape) {
  return strictFields('set', shape, emptySet(Object.keys(shape)));
}

/**
 * Accepts an object of some fields and at least one. An unknown field is an error.
 *
 * @param empty - the error if it is not an object, or has none of the fields
 */
export function strictFields<Shape extends z.ZodRawShape>(name: string, shape: Shape, empty: string) {
  return z
    .strictObject(shape, {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys'
          ? `${name} has an unknown field: ${JSON.stringify(keys?.[0])}. Known fields: ${Object.keys(shape).join(', ')}.`
          : empty,
    })
    .refine((fields) => Object.values(fields).some((value) => value !== undefined), { error: empty })
    .meta({ minProperties: 1 });
}

/** Accepts whether to only say what would happen. */
export const dryRun = z
  .boolean({ error: wrongDryRun })
  .nullish()
  .transform((value) => value ?? false)
  .meta({ description: 'Changes nothing, and answers what the call would do. `change_id` is null then.' });

/** The answer of a bulk change. */
export const bulkAnswer = z
  .strictObject({
    success: z.literal(true),
    matched: count.meta({ description: 'The rows found: `changed`, `unchanged` and `remaining`.' }),
    changed: count,
    unchanged: count.meta({ description: 'The rows that had all these values already.' }),
    unknown: z
      .array(z.union([z.int(), z.string()]))
      .meta({ description: 'The ids that no row has. They are not an error.' }),
    remaining: count.meta({
      description: 'The rows that are left to change. Repeat the call with the `change_id` to go on.',
    }),
    change_id: z.int().nullable().meta({ description: 'Undoes the change. Null if nothing changed.' }),
  })
  .meta({ id: 'BulkChange' });

/** What the history says of each field that a change has set. */
export const historyFields = {
  change_id: z.int().meta({ description: 'What `POST /api/admin/changes/undo` takes.' }),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  actor: z.string().meta({ description: 'Who made the change.' }),
  door: z.string().meta({ description: 'The interface: http, cli, tui or job.' }),
  at: timestamp,
};
