import { z } from 'zod';

/**
 * Metadata for the documentation: the JSON schema of a field whose zod schema checks in code, or takes more than it
 * should be sent. It replaces the rendered one.
 */
export function shownAs(shown: Readonly<Record<string, unknown> & { description?: string }>) {
  const { description } = shown;
  return {
    // Beside the schema, where the field is a query parameter.
    ...(description === undefined ? {} : { description }),
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, shown);
    },
  };
}

/**
 * A text that the contract requires: absent, null, empty and of a wrong type all answer the one text that the
 * contract has for it.
 */
export function requiredText(text: string) {
  return z.string({ error: text }).min(1, { error: text });
}

/** A text with a default "when omitted or empty" (contract section 2); null counts as omitted. */
export function textOr(fallback: string) {
  return z
    .string()
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? fallback : value))
    .meta(shownAs({ type: ['string', 'null'], default: fallback }));
}

/** A field that may be left out; null counts as left out. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** The number of a row, given as such or by its digits; null where no row can have it. */
export function toRowId(id: string | number): number | null {
  const number = typeof id === 'string' && !/^-?\d+$/.test(id) ? Number.NaN : Number(id);
  return Number.isSafeInteger(number) ? number : null;
}

/**
 * The id of a numbered row, as a number or as its digits. An id that no row can have is an unknown id, and unknown
 * ids succeed (contract section 7), so it becomes null, which matches no row, instead of an error.
 */
export function rowId(text: string) {
  return (
    z
      // JSON has numbers that are too large for any double; zod's do not include the infinity that they become.
      .union([z.number(), z.literal([Infinity, -Infinity]), z.string().min(1, { error: text })], {
        error: text,
      })
      .transform(toRowId)
      .meta(
        shownAs({
          type: ['integer', 'string'],
          minLength: 1,
          description: 'The number of a row, or its digits.',
        }),
      )
  );
}

/** A query parameter that is a number of some range: not numeric is its default, outside is clamped. */
export function clamped(fallback: number, minimum: number, maximum: number) {
  const description = `Not a number: ${fallback}. Outside its range: the nearest value in it.`;
  return z
    .union([z.string(), z.number()])
    .optional()
    .transform((value) => Number.parseInt(String(value), 10))
    .transform((value) => (Number.isNaN(value) ? fallback : Math.min(Math.max(value, minimum), maximum)))
    .meta(shownAs({ type: 'integer', default: fallback, minimum, maximum, description }));
}

/** ISO 8601 UTC with milliseconds, `2026-01-31T09:30:00.000Z`. */
export const timestamp = z.string().meta({
  description: 'ISO 8601, UTC, with milliseconds.',
  example: '2026-01-31T09:30:00.000Z',
  format: 'date-time',
});

/** A count of rows. */
export const count = z.int().nonnegative();

/** The body of a change that has nothing else to say. */
export const success = z.strictObject({ success: z.literal(true) });
