import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { Database } from '../connection/pool.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import { findMatches } from './find-matches.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';
import { versionOf } from './table-versions.ts';

/** A row that is too long to be read with the others. */
export interface LongRow {
  readonly bytes: number;
  readonly id: string | number;
}

/** The rows of a list or a page, in order. */
export interface FoundRows {
  /** The version of the list's tables in the snapshot that the rows were read from. */
  readonly version: string;
  /** Whether a whole list has too many rows for one query. Then the rows are not all there. */
  readonly isTooLong: boolean;
  /** Short rows as JSON texts, joined by commas, and between them the long rows. */
  readonly parts: readonly (string | LongRow)[];
  /** The position of the last row of a page, if more rows follow. */
  readonly next: Position | null;
}

/** Postgres makes the texts of the rows, and joins them, which costs this process less than anything that it could do. */
const foundRow = z.object({
  version: z.string(),
  length: z.int(),
  rows: z.string().nullable(),
  value: z.string().nullable(),
  id: z.union([z.string(), z.int()]).nullable(),
});

/** A whole list with this many rows is too long for one query: about 1 MB of issues. */
const maxRowsPerQuery = 2_000;
/** A row with a longer text is not read in the first query. */
const maxShortTextBytes = 8 * 1024;
/** Surrounds a long row among the texts of the short ones, where JSON would escape it. */
const mark = '\u0001';

/**
 * Finds the rows of a list, or of a page, and reads the short ones. Most lists have only short rows, so this one query
 * reads all of them.
 */
export async function findRows(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
): Promise<FoundRows> {
  const { search } = query;
  const maxRows = limit === undefined ? maxRowsPerQuery : limit + 1;
  const select = (on: Database, list: ListQuery) => selectRows(on, list, limit ?? maxRows, maxRows);
  const found =
    search === undefined
      ? await select(db, query)
      : await findMatches(db, { ...query, search }, maxRows, select);
  const { version, length, rows, value, id } = found;
  const hasMore = limit !== undefined && length > limit && value !== null && id !== null;
  return {
    version,
    isTooLong: limit === undefined && length === maxRows,
    parts: rows === null ? [] : partsOf(rows),
    next: hasMore ? positionOf(query, value, id) : null,
  };
}

/** Selects up to `maxRows` rows as one text, which has `limit` of them, and the position of the last one in it. */
async function selectRows(db: Database, query: ListQuery, limit: number, maxRows: number) {
  const { tables, order, id, maxTextBytes } = query;
  const last = sql.fragment`filter (where place = ${limit})`;
  return await db.one(sql.type(foundRow)`
    select
      ${versionOf(tables)} as version,
      count(*)::integer as length,
      string_agg(text, ',') filter (where place <= ${limit}) as rows,
      ${order.toText(sql.fragment`max(value) ${last}`)} as value,
      max(key) ${last} as id
    from (
      select *, row_number() over () as place
      from (
        select
          case when ${maxTextBytes} > ${maxShortTextBytes}
            then ${mark} || json_build_array(${maxTextBytes}, ${id})::text || ${mark}
            else ${rowAsJson(query)}
          end as text,
          ${order.column} as value,
          ${id} as key
        ${filteredAndOrdered(query, maxRows)}
      ) as found
    ) as placed
  `);
}

function positionOf({ order }: ListQuery, value: string, id: string | number): Position {
  return order.isDefault ? [value, id] : [value, id, order.sort];
}

function partsOf(rows: string): (string | LongRow)[] {
  if (!rows.includes(mark)) return [rows];
  return rows.split(mark).flatMap((part, index): (string | LongRow)[] => {
    if (index % 2 === 1) {
      const [bytes, id] = JSON.parse(part) as [number, string | number];
      return [{ bytes, id }];
    }
    const short = part.replace(/^,|,$/g, '');
    return short === '' ? [] : [short];
  });
}
