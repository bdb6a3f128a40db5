import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { toInstant } from '../../shared/time.ts';
import { invalid } from '../errors.ts';
import { errorsOf, refusals } from '../refusals.ts';
import { isAtMost, maxTextLength, nameOfPath, type Path } from './bounds.ts';
import { shownAs } from './fields.ts';

/** A batch is accepted or rejected as a whole, so an error names the field: `records[3].model is required: …`. */

/** Returns the error of a field: its name in the batch and what it must be. */
function fieldError(requirement: string) {
  return {
    error: ({ path = [] }: { readonly path?: Path | undefined }) => `${nameOfPath(path)} ${requirement}`,
  };
}

const maxNameLength = 200;
const requiredText = fieldError(`is required: a text of at most ${maxNameLength} characters.`);
const shortText = fieldError(`must be a text of at most ${maxNameLength} characters.`);

/** Requires a text, such as an id or a name. */
export const batchedName = (description: string) =>
  z
    .string(requiredText)
    .min(1, requiredText)
    .refine((text) => isAtMost(text, maxNameLength), requiredText)
    .meta({ minLength: 1, maxLength: maxNameLength, description });

/** Accepts an optional text. Null counts as omitted. */
export const batchedText = (description: string, fallback = '') =>
  z
    .string(shortText)
    .refine((text) => isAtMost(text, maxNameLength), shortText)
    .nullish()
    .transform((text) => (text === undefined || text === null || text === '' ? fallback : text))
    .meta(shownAs({ type: ['string', 'null'], maxLength: maxNameLength, default: fallback, description }));

/** Makes a field optional. Null counts as omitted. */
function orElse<Schema extends z.ZodType, Fallback>(
  schema: Schema,
  fallback: Fallback,
  shown: Readonly<Record<string, unknown>>,
  description: string,
) {
  return schema
    .nullish()
    .transform((value): z.output<Schema> | Fallback => value ?? fallback)
    .meta(shownAs({ ...shown, default: fallback, description }));
}

const longText = fieldError(`must be at most ${groupDigits(maxTextLength)} characters.`);

export const batchedProse = (description: string) =>
  orElse(
    z.string(fieldError('must be a text.')).refine((text) => isAtMost(text, maxTextLength), longText),
    '',
    { type: ['string', 'null'], maxLength: maxTextLength },
    description,
  );

export const batchedNumber = (minimum: number, maximum: number, description: string) => {
  const error = fieldError(`must be a whole number from ${groupDigits(minimum)} to ${groupDigits(maximum)}.`);
  return z.int(error).min(minimum, error).max(maximum, error).meta({ description });
};

export const batchedNumberOr = <Fallback extends number | null>(
  fallback: Fallback,
  minimum: number,
  maximum: number,
  description: string,
) =>
  orElse(
    batchedNumber(minimum, maximum, description),
    fallback,
    { type: ['integer', 'null'], minimum, maximum },
    description,
  );

export const batchedFlagOr = (fallback: boolean, description: string) =>
  orElse(
    z.boolean(fieldError('must be true or false.')),
    fallback,
    { type: ['boolean', 'null'] },
    description,
  );

/** Accepts an optional time and converts it to UTC with milliseconds. Null counts as omitted. */
export const batchedTime = (description: string) => {
  const error = fieldError('must be an ISO 8601 time.');
  return z
    .string(error)
    .refine((text) => toInstant(text) !== undefined, error)
    .nullish()
    .transform((text) => (text === undefined || text === null ? null : (toInstant(text) ?? null)))
    .meta(shownAs({ type: ['string', 'null'], format: 'date-time', description }));
};

export const batchedWordOr = <const Words extends readonly [string, ...string[]]>(
  fallback: Words[number],
  words: Words,
  description: string,
) =>
  orElse(
    z.enum(words, fieldError(`must be one of: ${words.join(', ')}.`)),
    fallback,
    { type: ['string', 'null'], enum: [...words, null] },
    description,
  );

/** Returns the error of a rule over several fields, reported at the given field. */
export const rule = (field: string, requirement: string) => ({ path: [field], ...fieldError(requirement) });

const listOfAtMost = (maximum: number, what: string) =>
  `must be a list of at most ${groupDigits(maximum)} ${what}.`;

export const batchedList = <Item extends z.ZodType>(item: Item, maximum: number, what: string) => {
  const error = fieldError(listOfAtMost(maximum, what));
  return z.array(item, error).max(maximum, error);
};

export const batchedObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(shape, fieldError('must be an object.'));

/** Accepts `{ <name>: [<item>…] }` or a single item. Both parse to a list of items. */
export const batchOf = <Name extends string, Item extends z.ZodObject>(
  name: Name,
  item: Item,
  maximum: number,
) => {
  const list = batchedList(item, maximum, name);
  const batch = z.object({ [name]: list } as Record<Name, typeof list>);
  const schema = z
    .union([batch, item], {
      // Report the error of the form that was meant.
      error: (issue) => {
        const [ofBatch, ofItem] = (issue as unknown as { errors: readonly { message: string }[][] }).errors;
        const isBatch = typeof issue.input === 'object' && issue.input !== null && name in issue.input;
        return (isBatch ? ofBatch : ofItem)?.[0]?.message;
      },
    })
    .transform((given) => (name in given ? given[name as never] : [given]) as z.output<Item>[]);
  refusals.add(schema, {
    // Those of a single item are the same, without the place in the list.
    get errors() {
      return [invalid(`${name} ${listOfAtMost(maximum, name)}`), ...errorsOf(item, [name, 3])];
    },
    areAll: true,
  });
  return schema;
};
