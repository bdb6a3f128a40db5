import { z } from 'zod';
import { atMost, maxTextLength } from './bounds.ts';

/** Documents a field otherwise than its schema, which checks in code or accepts more than callers should send. */
export function shownAs(shown: Readonly<Record<string, unknown> & { description?: string }>) {
  const { description } = shown;
  return {
    // For a query parameter, the description goes beside the schema.
    ...(description === undefined ? {} : { description }),
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, shown);
    },
  };
}

/** Accepts at least one change; `others` change nothing by themselves. Null counts as absent, and is not documented. */
export function someChanges<Shape extends z.ZodRawShape>(
  shape: Shape,
  error: string,
  others: readonly (keyof Shape & string)[],
) {
  const changes = Object.keys(shape).filter((name) => !others.includes(name));
  return z
    .object(shape)
    .refine((fields) => changes.some((name) => fields[name as keyof typeof fields] !== undefined), { error })
    .meta({
      override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
        const properties = jsonSchema.properties as Record<string, { type?: unknown }>;
        for (const name of changes) {
          const property = properties[name];
          const types = Array.isArray(property?.type) ? property.type.filter((type) => type !== 'null') : [];
          if (property !== undefined && types.length === 1) property.type = types[0];
        }
        Object.assign(jsonSchema, moreThan(others));
      },
    });
}

/** Returns the schema of an object with one field more than those of these that it has. It has the first. */
function moreThan([_first, ...others]: readonly string[], minProperties = 2): object {
  if (others.length === 0) return { minProperties };
  const withOther = others.map((name, index) => [name, moreThan(others.slice(index), minProperties + 1)]);
  return { minProperties, dependentSchemas: Object.fromEntries(withOther) };
}

/** Requires a non-empty string. Absent, null, empty and a wrong type all give the one text of the contract. */
export function requiredText(text: string) {
  return z.string({ error: text }).min(1, { error: text });
}

export function storedText(text: string) {
  return atMost(requiredText(text)).meta(shownAs({ type: 'string', minLength: 1, maxLength: maxTextLength }));
}

/** Requires a text that is not blank, and keeps it as it is. */
export function notBlank(text: string, maxLength = maxTextLength) {
  return atMost(z.string({ error: text }).regex(/\S/, { error: text }), maxLength).meta(
    shownAs({ type: 'string', pattern: '\\S', maxLength }),
  );
}

/** Requires one of the words. Absent, null and empty all give the text of what is missing. */
export function requiredWord<const Word extends string>(
  words: readonly Word[],
  missing: string,
  wrong: string,
) {
  return z
    .unknown()
    .refine((word) => word !== undefined && word !== null && word !== '', { error: missing, abort: true })
    .pipe(z.enum(words, { error: wrong }))
    .meta(shownAs({ type: 'string', enum: words }));
}

/** Accepts a string with a default "when omitted or empty" (contract section 2). Null counts as omitted. */
export function textOr(fallback: string, maxLength = maxTextLength, shown: { description?: string } = {}) {
  return atMost(z.string(), maxLength)
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? fallback : value))
    .meta(shownAs({ type: ['string', 'null'], maxLength, default: fallback, ...shown }));
}

/**
 * Accepts a query parameter that is read in code. An absent or empty one becomes `absent`.
 *
 * @param read - returns undefined for a value that is wrong
 */
export function parsed<Given extends z.ZodType<string | number>, Value, Absent = undefined>(
  given: Given,
  wrong: string | ((value: z.output<Given>) => string),
  read: (value: z.output<Given>) => Value | undefined,
  absent?: Absent,
) {
  return given.optional().transform((value, context): Value | Absent => {
    if (value === undefined || value === '') return absent as Absent;
    const found = read(value);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: typeof wrong === 'string' ? wrong : wrong(value) });
    return z.NEVER;
  });
}

/** Accepts any value, of which only a text counts: the handler refuses what is missing. */
export function looseText(shown: Readonly<Record<string, unknown> & { description?: string }> = {}) {
  return z
    .string()
    .catch('')
    .meta(shownAs({ type: 'string', ...shown }));
}

/** Makes a field optional. Null counts as omitted. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Accepts a number as a query parameter. Anything else becomes the default, and a value outside the range is clamped. */
export function clamped(fallback: number, minimum: number, maximum: number) {
  const description = `A value that is not a number becomes ${fallback}. A value out of range becomes the nearest one in range.`;
  return z
    .union([z.string(), z.number()])
    .optional()
    .transform((value) => Number.parseInt(String(value), 10))
    .transform((value) => (Number.isNaN(value) ? fallback : Math.min(Math.max(value, minimum), maximum)))
    .meta(shownAs({ type: 'integer', default: fallback, minimum, maximum, description }));
}

/** ISO 8601 UTC with milliseconds, `2026-01-31T09:30:00.000Z`. */
export const timestamp = z.string().meta({
  description: 'ISO 8601 in UTC, with milliseconds.',
  example: '2026-01-31T09:30:00.000Z',
  format: 'date-time',
});

export const count = z.int().nonnegative();

/** Returns the schema of a row in answers and a row to show, from the schema and the example of each field. */
export function rowWithExample<Shape extends z.ZodRawShape>(
  id: string,
  fields: { readonly [Name in keyof Shape]: readonly [schema: Shape[Name], example: z.output<Shape[Name]>] },
) {
  const partsOf = (place: 0 | 1) =>
    Object.fromEntries(Object.entries(fields).map(([name, parts]) => [name, parts[place]]));
  const schema = z.strictObject(partsOf(0) as Shape).meta({ id });
  return { schema, example: partsOf(1) as z.output<typeof schema> };
}

/** The answer of a change without other results. */
export const success = z.strictObject({ success: z.literal(true) });
