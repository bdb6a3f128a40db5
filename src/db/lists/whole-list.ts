import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/database.ts';
import { unprepared } from '../connection/statements.ts';
import { filteredAndOrdered, isWhollyOrdered, longPageRows, pageRows } from './filter-scans.ts';
import { findMatches } from './find-matches.ts';
import { asStep, type ListMemo, noVersion } from './list-memo.ts';
import { isAfterCursor, type ListQuery } from './list-query.ts';
import { type FirstRows, type FoundRows, partsOf, rowAsJson, rowText, takeParts } from './row-texts.ts';
import { versionOf } from './table-versions.ts';

/** A whole list with this many rows is too long for one query: about 1 MB of issues. */
const maxRowsPerQuery = 2_000;

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

/** Postgres makes the texts of the rows, and joins them, which costs this process less than anything that it could do. */
const foundRow = z.object({ version: z.string(), length: z.int().nullable(), rows: z.string().nullable() });

async function readFirst(db: Database, statement: QuerySqlToken<typeof foundRow>): Promise<FirstRows> {
  const { version, length, rows } = await db.one(statement);
  return { version, length: length ?? 0, parts: rows === null ? [] : partsOf(rows) };
}

/** Selects the first rows as one text. */
async function selectRows(db: Database, query: ListQuery): Promise<FirstRows> {
  return await readFirst(
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
  const read = async (versioned: QuerySqlToken) => await readFirst(db, versioned as typeof statement);
  return await (memo === undefined ? read(statement) : memo.find(statement, read));
}

/** Reads a long list in a transaction that nobody repeats: its first rows would be sent twice. */
const readOnce = (db: Database, read: (tx: Database) => Promise<void>) => db.transaction(read, 0);

/** Rows that are longer on average are long: 250 of them would be a megabyte. */
const longRowLength = 4 * 1024;

const pageRow = z.object({
  length: z.int(),
  rows: z.string().nullable(),
  value: z.string().nullable(),
  id: z.union([z.string(), z.int()]).nullable(),
});

/**
 * Reads a whole list in one snapshot, page by page. Keeps a connection until the reader has taken all rows. The order of
 * the list needs an index, from which each page is read. Then this costs Postgres less than a cursor, whose rows it would
 * have to join one by one.
 */
export async function readBySnapshot(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  await readOnce(db, async (tx) => {
    await tx.query(sql.unsafe`set transaction isolation level repeatable read, read only`);
    let page = query;
    let maxRows = longPageRows;
    while (true) {
      const { length, rows, value, id } = await selectNext(tx, page, maxRows);
      if (rows !== null && !(await takeParts(tx, query, partsOf(rows), take))) return;
      if (rows === null || length < maxRows) return;
      if (value === null || id === null) throw new Error('The rows of this list have no position.');
      page = { ...query, order: { ...query.order, cursor: [value, id] } };
      maxRows = rows.length > longRowLength * length ? longPageRows : pageRows;
    }
  });
}

/**
 * Selects the next rows of a list as one text, and the position of the last one. Only JSON has a format for every time,
 * infinite ones too, that does not depend on the session.
 */
async function selectNext(tx: Database, query: ListQuery, maxRows: number) {
  const { order, id } = query;
  return await tx.one(sql.type(pageRow)`
    select
      count(*)::integer as length,
      string_agg(text, ',') as rows,
      to_json((array_agg(value))[${maxRows}::integer]) #>> '{}' as value,
      (array_agg(key))[${maxRows}::integer] as id
    from (
      select ${rowText(query)} as text, ${order.column} as value, ${id} as key
      ${filteredAndOrdered(query, maxRows)}
    ) as found
  `);
}

/** Many cursors are read at once, each with a chunk in memory. */
const cursorChunkLength = 128 * 1024;
/** Fetched at most at once, so that a chunk of rows that take long stays within the statement timeout. */
const maxFetchRows = 1_000;

const chunkRow = z.object({ text: z.string(), count: z.int() });

/**
 * Reads a whole list in one snapshot, by a cursor: its order needs no index. Keeps a connection until the reader has taken
 * all rows.
 */
export async function readByCursor(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  await readOnce(db, async (tx) => {
    await tx.query(
      sql.unsafe`declare list no scroll cursor for select ${rowAsJson(query)} as json ${filteredAndOrdered(query)}`,
    );
    while (true) {
      const { text, count } = await tx.one(sql.type(chunkRow)`
        select text, count from fetch_joined('list', ${maxFetchRows}, ${cursorChunkLength}) ${unprepared}
      `);
      if (count === 0 || !(await take([text]))) return;
    }
  });
}
