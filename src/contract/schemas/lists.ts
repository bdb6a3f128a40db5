import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { invalid } from '../errors.ts';
import { creationSorts } from '../fields/sorts.ts';
import { refusals } from '../refusals.ts';
import { defaultSort, type SortOf, type Sorts, sortsOf } from '../vocabulary.ts';
import { cursorParameter } from './cursors.ts';
import { count, parsed, shownAs } from './fields.ts';
import { oneOf, searchParameter, timeBounds } from './filters.ts';

export { type Position, toCursor } from './cursors.ts';
export { filterText, filterTexts, filterWords } from './filters.ts';

const maxPageRows = 1_000;
/** The rows of a page of texts that people read one after another. */
export const defaultPageRows = 50;
const wrongLimit = `limit must be a whole number from 1 to ${groupDigits(maxPageRows)}.`;

function readLimit(text: string | number): number | undefined {
  const limit = /^\d+$/.test(String(text)) ? Number(text) : 0;
  return limit >= 1 && limit <= maxPageRows ? limit : undefined;
}

/** Accepts the maximum number of rows as a query parameter, by default the given one. */
export const limitParameter = <Default extends number | undefined>(
  defaultLimit: Default,
  description: string,
) =>
  parsed(z.union([z.string(), z.number()]), wrongLimit, readLimit, defaultLimit)
    .meta(
      shownAs({
        type: 'integer',
        minimum: 1,
        maximum: maxPageRows,
        ...(defaultLimit === undefined ? {} : { default: defaultLimit }),
        description,
      }),
    )
    .register(refusals, { errors: [invalid(wrongLimit)] });

export const sortParameter = <const List extends Sorts>(
  sorts: List,
  fallback: SortOf<List> = defaultSort(sorts),
) =>
  oneOf(
    'sort',
    sortsOf(sorts),
    fallback,
    'The field to sort by, with `-` for the highest or latest first. Rows with equal values are sorted by id, in the same direction.',
  );

export const countParameter = z
  .literal(['1', '0', '', 1, 0], { error: 'count must be 1 or 0.' })
  .optional()
  .transform((value) => value === '1' || value === 1)
  .meta(
    shownAs({
      type: 'integer',
      enum: [0, 1],
      default: 0,
      description: '`1` adds `total`: how many rows match the filters, on all pages together.',
    }),
  );

/** Returns the parameters of pages. Without a default limit, the whole list is answered. */
export const pageParameters = <
  Id extends string | number,
  Default extends number | undefined,
  const List extends Sorts = typeof creationSorts,
>(
  id: z.ZodType<Id>,
  defaultLimit: Default,
  sorts: List = creationSorts as Sorts as List,
) => ({
  limit: limitParameter(
    defaultLimit,
    'The maximum number of rows of a page. `nextCursor` leads to the next page and is null on the last.',
  ),
  cursor: cursorParameter(id, sorts),
});

/** Returns the parameters that select rows by time, and by words in the texts that `searched` names. */
export const searchParameters = (searched: string) => ({ q: searchParameter(searched), ...timeBounds });

/** Returns the parameters of a list that is searched, filtered by time, sorted and read page by page. */
export const listParameters = <Id extends string | number, const List extends Sorts = typeof creationSorts>(
  id: z.ZodType<Id>,
  searched: string,
  sorts: List = creationSorts as Sorts as List,
) => ({
  ...searchParameters(searched),
  sort: sortParameter(sorts),
  count: countParameter,
  ...pageParameters(id, undefined, sorts),
});

/** The cursor of the next page: null on the last page, absent without `limit`. */
export const nextCursor = z.string().nullable().optional();

export const total = count
  .optional()
  .describe('With `count=1`: how many rows match the filters, on all pages together.');
