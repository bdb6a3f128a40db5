import { z } from 'zod';
import { toInstant } from '../../shared/instant.ts';
import { busy, invalid } from '../errors.ts';
import { shownAs } from './fields.ts';

const maxPageRows = 1_000;

/** Accepts a text to filter by; an empty text does not filter. */
export const filterText = (description: string) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .meta(shownAs({ type: 'string', description }));

/** Accepts one of the words to filter by; an empty text does not filter. Also returns the error for any other word. */
export function filterWord<const Word extends string>(
  name: string,
  words: readonly Word[],
  description: string,
) {
  const wrongWord = `${name} must be one of: ${words.join(', ')}.`;
  const schema = z
    .union([z.enum(words), z.literal('')], { error: wrongWord })
    .optional()
    .transform((word) => (word === '' ? undefined : word))
    .meta(shownAs({ type: 'string', enum: words, description }));
  return { schema, error: invalid(wrongWord) };
}

const wrongTime = (name: string) => `${name} must be an ISO 8601 time.`;

/** Accepts a time that bounds a list. */
const time = (name: string, description: string) =>
  z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === '') return undefined;
      const instant = toInstant(value);
      if (instant !== undefined) return instant;
      context.addIssue({ code: 'custom', message: wrongTime(name) });
      return z.NEVER;
    })
    .meta(shownAs({ type: 'string', format: 'date-time', description }));

/** A position in a list: the time (UTC, in microseconds, as in Postgres) and the id of the last row before it. */
export type Position<Id = string | number> = readonly [at: string, id: Id];

/** Accepts only times that Postgres accepts: it has no year 0. */
const instantOfRow = z.iso.datetime({ precision: 6 }).refine((at) => !at.startsWith('0000'));

/** Encodes a position in a list as a cursor for the next request. */
export function toCursor(position: Position): string {
  // An id may have any character, but btoa accepts only Latin-1.
  const base64 = btoa(encodeURIComponent(JSON.stringify(position)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromCursor<Id extends string | number>(cursor: string, id: z.ZodType<Id>): Position<Id> | undefined {
  try {
    const position = JSON.parse(decodeURIComponent(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))));
    // Postgres texts have no NUL, and the check of the whole input cannot see one inside a cursor.
    return z.tuple([instantOfRow, id.refine((value) => !String(value).includes('\0'))]).parse(position);
  } catch {
    return undefined;
  }
}

const wrongCursor = 'cursor must be the nextCursor of an earlier page.';
const wrongLimit = `limit must be a whole number from 1 to ${maxPageRows.toLocaleString('en')}.`;

export const limitError = invalid(wrongLimit);

/** The documented errors of the parameters below. */
export const pageErrors = [limitError, invalid(wrongCursor)];
export const listErrors = [...[wrongTime('since'), wrongTime('until')].map(invalid), ...pageErrors, busy];

/**
 * Accepts the maximum number of rows as a query parameter. Anything else is the 400 of `limitError`.
 *
 * @param defaultLimit - what an omitted or empty value becomes
 */
export const limitParameter = <Default extends number | undefined>(
  defaultLimit: Default,
  description: string,
) =>
  z
    .union([z.string(), z.number()])
    .optional()
    .transform((value, context): number | Default => {
      if (value === undefined || value === '') return defaultLimit;
      const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= 1 && number <= maxPageRows) return number;
      context.addIssue({ code: 'custom', message: wrongLimit });
      return z.NEVER;
    })
    .meta(
      shownAs({
        type: 'integer',
        minimum: 1,
        maximum: maxPageRows,
        ...(defaultLimit === undefined ? {} : { default: defaultLimit }),
        description,
      }),
    );

/**
 * Returns the parameters of a list that is read page by page.
 *
 * @param id - the schema of the row ids
 * @param defaultLimit - the rows of a page without `limit`; undefined to answer the whole list
 */
export const pageParameters = <Id extends string | number, Default extends number | undefined>(
  id: z.ZodType<Id>,
  defaultLimit: Default,
) => ({
  limit: limitParameter(
    defaultLimit,
    'The maximum number of rows of a page. `nextCursor` leads to the next page and is null on the last.',
  ),
  cursor: z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === '') return undefined;
      const position = fromCursor(value, id);
      if (position !== undefined) return position;
      context.addIssue({ code: 'custom', message: wrongCursor });
      return z.NEVER;
    })
    .meta(shownAs({ type: 'string', description: 'The `nextCursor` of the previous page.' })),
});

/**
 * Returns the parameters of a list that is searched, filtered by time and read page by page. `since` is included,
 * `until` is not.
 *
 * @param id - the schema of the row ids
 */
export const listParameters = <Id extends string | number>(id: z.ZodType<Id>) => ({
  q: filterText('Only rows that contain this text. Case is ignored.'),
  since: time('since', 'Only rows at or after this time.'),
  until: time('until', 'Only rows before this time.'),
  ...pageParameters(id, undefined),
});

/** The cursor of the next page: null on the last page, absent without `limit`. */
export const nextCursor = z.string().nullable().optional();
