import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { arraysOf, type SelectArrays } from '../connection/select-arrays.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import { findMatches } from './find-matches.ts';
import { type FoundRows, type LongRow, maxShortTextBytes } from './found-rows.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';
import { selectPage } from './select-page.ts';
import { versionOf } from './table-versions.ts';

/** Postgres makes the texts of the rows, and joins them, which costs this process less than anything that it could do. */
const foundRow = z.object({ version: z.string(), length: z.int(), rows: z.string().nullable() });

/** A whole list with this many rows is too long for one query: about 1 MB of issues. */
const maxRowsPerQuery = 2_000;
/** Surrounds a long row among the texts of the short ones, where JSON would escape it. */
const mark = '\u0001';

/**
 * Finds the rows of a page, and reads the short ones. Most pages have only short rows, so this one query reads all of
 * them.
 *
 * @param select - selects the page if it is not searched for; by default on the database
 */
export async function findPage(
  db: Database,
  query: ListQuery,
  limit: number,
  select: SelectArrays = arraysOf(db),
): Promise<FoundRows> {
  const { search } = query;
  const { version, length, parts, last } =
    search === undefined
      ? await selectPage(select, query, limit)
      : await findMatches(db, { ...query, search }, limit + 1, (tx, list) =>
          selectPage(arraysOf(tx), list, limit),
        );
  return { version, isTooLong: false, parts, next: length > limit ? last : null };
}

/** Finds the rows of a whole list, and reads the short ones. */
export async function findRows(db: Database, query: ListQuery): Promise<FoundRows> {
  const { search } = query;
  const { version, length, rows } =
    search === undefined
      ? await selectRows(db, query)
      : await findMatches(db, { ...query, search }, maxRowsPerQuery, selectRows);
  const isTooLong = length === maxRowsPerQuery;
  return { version, isTooLong, parts: rows === null ? [] : partsOf(rows), next: null };
}

/** Selects the first rows as one text. */
async function selectRows(db: Database, query: ListQuery) {
  const { tables, id, maxTextBytes } = query;
  return await db.one(sql.type(foundRow)`
    select ${versionOf(tables)} as version, count(*)::integer as length, string_agg(text, ',') as rows
    from (
      select
        case when ${maxTextBytes} > ${maxShortTextBytes}
          then ${mark} || json_build_array(${maxTextBytes}, ${id})::text || ${mark}
          else ${rowAsJson(query)}
        end as text
      ${filteredAndOrdered(query, maxRowsPerQuery)}
    ) as found
  `);
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
