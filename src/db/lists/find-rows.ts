import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { arraysOf, type SelectArrays } from '../connection/select-arrays.ts';
import { filteredAndOrdered, isWhollyOrdered } from './filtered-rows.ts';
import { findMatches } from './find-matches.ts';
import type { FoundRows } from './found-rows.ts';
import { asStep, type ListMemo, noVersion } from './list-memo.ts';
import { isAfterCursor } from './list-order.ts';
import type { ListQuery } from './list-query.ts';
import { partsOf, rowText } from './row-texts.ts';
import { selectPage } from './select-page.ts';
import { versionOf } from './table-versions.ts';

/** Postgres makes the texts of the rows, and joins them, which costs this process less than anything that it could do. */
const foundRow = z.object({ version: z.string(), length: z.int().nullable(), rows: z.string().nullable() });

/** A whole list with this many rows is too long for one query: about 1 MB of issues. */
const maxRowsPerQuery = 2_000;

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
  memo?: ListMemo,
): Promise<FoundRows> {
  const { search } = query;
  const { version, length, parts, last } =
    search === undefined
      ? await selectPage(select, query, limit, memo)
      : await findMatches(db, { ...query, search }, limit + 1, (tx, list) =>
          selectPage(arraysOf(tx), list, limit),
        );
  return { version, isTooLong: false, parts, next: length > limit ? last : null };
}

/** Finds the rows of a whole list, and reads the short ones. */
export async function findRows(db: Database, query: ListQuery, memo?: ListMemo): Promise<FoundRows> {
  const { search } = query;
  const { version, length, parts } =
    search !== undefined
      ? await findMatches(db, { ...query, search }, maxRowsPerQuery, selectRows)
      : isWhollyOrdered(query)
        ? await selectAll(db, query, memo)
        : await selectRows(db, query);
  return { version, isTooLong: length === maxRowsPerQuery, parts, next: null };
}

/** The first rows of a whole list. */
interface FirstRows extends Pick<FoundRows, 'version' | 'parts'> {
  readonly length: number;
}

async function selectFirstRows(db: Database, statement: QuerySqlToken<typeof foundRow>): Promise<FirstRows> {
  const { version, length, rows } = await db.one(statement);
  return { version, length: length ?? 0, parts: rows === null ? [] : partsOf(rows) };
}

/** Selects the first rows as one text. */
async function selectRows(db: Database, query: ListQuery): Promise<FirstRows> {
  return await selectFirstRows(
    db,
    sql.type(foundRow)`
      select ${versionOf(query.tables)} as version, count(*)::integer as length, string_agg(text, ',') as rows
      from (
        select ${rowText(query)} as text
        ${filteredAndOrdered(query, maxRowsPerQuery)}
      ) as found
    `,
  );
}

/**
 * Selects all rows as one text. They are counted first, up to the limit, because that costs little, and the rows of a list
 * that is too long would be read in vain.
 */
async function selectAll(db: Database, query: ListQuery, memo: ListMemo | undefined): Promise<FirstRows> {
  const { tables, source, order, id } = query;
  const conditions = [...query.conditions, isAfterCursor(order, id)];
  const isShort = sql.fragment`(select length from counted) < ${maxRowsPerQuery}`;
  const statement = sql.type(foundRow)`
    with current as materialized (select ${versionOf(tables)} as version, ${noVersion}::text as known),
    counted as materialized (
      select count(*)::integer as length
      from (select ${source} where ${sql.and(conditions)} limit ${maxRowsPerQuery}) as counted_row
    )
    select version, length, rows
    from current
    left join lateral (
      select
        (select length from counted) as length,
        (
          select string_agg(text, ',')
          from (
            select ${rowText(query)} as text
            ${filteredAndOrdered({ ...query, conditions: [...query.conditions, isShort] })}
          ) as found
        ) as rows
      where version <> known
      ${asStep}
    ) as all_rows on true
  `;
  const read = async (versioned: QuerySqlToken) => await selectFirstRows(db, versioned as typeof statement);
  return await (memo === undefined ? read(statement) : memo.find(statement, read));
}
