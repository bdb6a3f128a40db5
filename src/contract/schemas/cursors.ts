import { z } from 'zod';
import { invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { defaultSort, type SortKind, type SortOf, type Sorts, sortField, sortsOf } from '../vocabulary.ts';
import { parsed, shownAs } from './fields.ts';

/** The sorted value and the id of the last row before it, then the sort unless it is the default. */
export type Position<Id = string | number, Sort extends string = string> = readonly [
  value: string,
  id: Id,
  sort?: Sort,
];

/** Accepts only times that Postgres accepts: it has no year 0. */
const instantOfRow = z.iso.datetime({ precision: 6 }).refine((at) => !at.startsWith('0000'));

const valueSchemas: Readonly<Record<SortKind, z.ZodType<string>>> = {
  // Lists are ordered by milliseconds. Cursors have microseconds because they once were.
  time: instantOfRow.transform((at) => `${at.slice(0, -4)}Z`),
  // Postgres texts have no NUL, and the check of the whole input cannot see one inside a cursor.
  text: z.string().refine((text) => !text.includes('\0')),
  rank: z.string().regex(/^\d{1,4}$/),
};

const wrongCursor = 'cursor must be the nextCursor of an earlier page.';

/** The error of a page that is requested with another sort than the page before it. */
export const otherSortError = invalid('cursor belongs to another sort. Repeat the sort of its page.');

/** Encodes a position in a list as a cursor for the next request. */
export function toCursor(position: Position): string {
  // An id may have any character, but btoa accepts only Latin-1.
  const base64 = btoa(encodeURIComponent(JSON.stringify(position)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromCursor<Id extends string | number, List extends Sorts>(
  cursor: string,
  id: z.ZodType<Id>,
  sorts: List,
): Position<Id, SortOf<List>> | undefined {
  try {
    const given: unknown = JSON.parse(
      decodeURIComponent(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))),
    );
    const [value, row, sort = defaultSort(sorts)] = z
      .tuple([z.string(), id, z.enum(sortsOf(sorts)).optional()])
      .parse(given);
    if (String(row).includes('\0')) return undefined;
    return [valueSchemas[sorts[sortField(sort)] as SortKind].parse(value), row, sort];
  } catch {
    return undefined;
  }
}

export const cursorParameter = <Id extends string | number, List extends Sorts>(
  id: z.ZodType<Id>,
  sorts: List,
) =>
  parsed(z.string(), wrongCursor, (cursor) => fromCursor(cursor, id, sorts))
    .meta(shownAs({ type: 'string', description: 'The `nextCursor` of the previous page.' }))
    .register(refusals, { errors: [invalid(wrongCursor), otherSortError] });
