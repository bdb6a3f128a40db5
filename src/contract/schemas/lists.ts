import { z } from 'zod';
import { toInstant } from '../../shared/instant.ts';
import { busy, invalid } from '../errors.ts';
import { shownAs } from './fields.ts';

const maximumPage = 1_000;

/** What a filter compares a text with; an empty one does not filter. */
export const filterText = (description: string) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .meta(shownAs({ type: 'string', description }));

/** One of some words to filter by, and what others are answered; an empty one does not filter. */
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

/** A time that bounds a list. */
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

/** A place in a list: the time (UTC, to the microsecond, as Postgres keeps it) and the id of the last row before it. */
export type Position<Id = string | number> = readonly [at: string, id: Id];

/** Only what Postgres takes for a time: it has no year 0. */
const instantOfRow = z.iso.datetime({ precision: 6 }).refine((at) => !at.startsWith('0000'));

/** The text that stands for a place in a list, for the next request. */
export function toCursor(position: Position): string {
  // An id may have any character; btoa takes those of Latin-1.
  const base64 = btoa(encodeURIComponent(JSON.stringify(position)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromCursor<Id extends string | number>(cursor: string, id: z.ZodType<Id>): Position<Id> | undefined {
  try {
    const position = JSON.parse(decodeURIComponent(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))));
    // No text of Postgres has a NUL, and the one in here was not to be seen before.
    return z.tuple([instantOfRow, id.refine((value) => !String(value).includes('\0'))]).parse(position);
  } catch {
    return undefined;
  }
}

const wrongCursor = 'cursor must be the nextCursor of an earlier page.';
const wrongLimit = `limit must be a whole number from 1 to ${maximumPage.toLocaleString('en')}.`;

/** The errors of the parameters below, for the documentation. */
export const pageErrors = [wrongLimit, wrongCursor].map(invalid);
export const listErrors = [...[wrongTime('since'), wrongTime('until')].map(invalid), ...pageErrors, busy];

/**
 * How a list is paged.
 *
 * @param id - the schema of the ids of its rows
 * @param usual - how many rows a page has where nothing else is said; undefined for a list that comes whole then
 */
export const pageParameters = <Id extends string | number, Usual extends number | undefined>(
  id: z.ZodType<Id>,
  usual: Usual,
) => ({
  limit: z
    .union([z.string(), z.number()])
    .optional()
    .transform((value, context): number | Usual => {
      if (value === undefined || value === '') return usual;
      const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= 1 && number <= maximumPage) return number;
      context.addIssue({ code: 'custom', message: wrongLimit });
      return z.NEVER;
    })
    .meta(
      shownAs({
        type: 'integer',
        minimum: 1,
        maximum: maximumPage,
        ...(usual === undefined ? {} : { default: usual }),
        description: 'A page of so many rows, with `nextCursor` for the next one; null after the last.',
      }),
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
    .meta(shownAs({ type: 'string', description: 'The `nextCursor` of the page before.' })),
});

/**
 * How a list is searched, bounded and paged. `since` and `until` are half open: from, and before.
 *
 * @param id - the schema of the ids of its rows
 */
export const listParameters = <Id extends string | number>(id: z.ZodType<Id>) => ({
  q: filterText('Only rows that contain this text, in capitals or not.'),
  since: time('since', 'Only rows from this time on.'),
  until: time('until', 'Only rows before this time.'),
  ...pageParameters(id, undefined),
});

/** Where the next page begins: null after the last one, absent where no `limit` was given. */
export const nextCursor = z.string().nullable().optional();
