import { z } from 'zod';
import { shownAs } from './fields.ts';

/** Converts a row id, a number or its digits. Returns null for an id that no row can have. */
export function toRowId(id: string | number): number | null {
  const number = typeof id === 'string' && !/^-?\d+$/.test(id) ? Number.NaN : Number(id);
  return Number.isSafeInteger(number) ? number : null;
}

/** How the id of a row is documented. */
export const shownRowId = {
  type: ['integer', 'string'],
  minLength: 1,
  description: 'The id, as a number or its digits.',
};

/** Accepts what a row id may be written as. Any other value gives the one text. */
export function writtenRowId(text: string, digits = z.string()) {
  // A JSON number that is too large for a double becomes infinity, which zod does not accept as a number.
  return z.union([z.number(), z.literal([Infinity, -Infinity]), digits], { error: text });
}

/** Accepts the id of a row. One that no row can have becomes null: unknown ids succeed (contract section 7). */
export function rowId(text: string) {
  return writtenRowId(text, z.string().min(1, { error: text }))
    .transform(toRowId)
    .meta(shownAs(shownRowId));
}

/** Accepts the id of a row, or nothing: also null, and an empty text, as forms send it. */
export function optionalRowId(text: string, shown: Parameters<typeof shownAs>[0]) {
  return writtenRowId(text)
    .nullish()
    .transform((id) => (id === undefined || id === null || id === '' ? undefined : toRowId(id)))
    .meta(shownAs(shown));
}

/** Accepts the id of a conversation, or nothing: also null, and an empty text, as forms send it. */
export function optionalConversationId(shown: Parameters<typeof shownAs>[0]) {
  return z
    .string({ error: 'conversation_id must be the id of a conversation.' })
    .nullish()
    .transform((id) => (id === null || id === '' ? undefined : id))
    .meta(shownAs(shown));
}

/** Accepts the id of a row as a query parameter to filter by; an empty text does not filter. */
export function rowIdFilter(description: string) {
  return z
    .union([z.string(), z.number()])
    .optional()
    .transform((id) => (id === undefined || id === '' ? undefined : toRowId(id)))
    .meta(shownAs({ type: 'integer', description }));
}
