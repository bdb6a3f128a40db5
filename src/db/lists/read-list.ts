import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database, RunOn } from '../connection/database.ts';
import { unprepared } from '../connection/statements.ts';
import { countRow } from '../tables/statements.ts';
import { filteredAndOrdered, isWhollyOrdered, maxShortRows } from './filter-scans.ts';
import { runSearch, runSearchWithin } from './find-matches.ts';
import type { ListMemo } from './list-memo.ts';
import { type ListQuery, readByMatches, rowAsJson } from './list-query.ts';
import { type LongRow, maxShortTextBytes, type Part, takeParts } from './row-parts.ts';
import { findPage, type Page } from './select-page.ts';
import { selectVersion } from './table-versions.ts';

/** What is known of a list before its rows are taken. */
export type ListStart = Pick<Page, 'version' | 'next'>;

interface ReadListOptions {
  /** Runs what reads a long list, which keeps a connection until its reader is done. */
  readonly readLong: RunOn;
  /** Runs what finds the rows. By default on the database. */
  readonly find?: RunOn;
  /** Called before the first rows are taken. */
  readonly onStart?: (start: ListStart) => Promise<void> | void;
  readonly memo?: ListMemo | undefined;
}

/**
 * Reads a list, or one page of it if there is a limit, in chunks: the memory stays flat for any number and length of
 * rows. One snapshot determines the rows and their order.
 *
 * @param take - takes the JSON texts of rows, some of them several rows joined by commas
 */
export async function readList(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
  take: TakeRows,
  { readLong, find = (work) => work(db), onStart = () => {}, memo }: ReadListOptions,
): Promise<void> {
  if (limit === undefined && isWhollyOrdered(query) && (await isTooLong(db, query))) {
    await onStart({ version: await selectVersion(db, query.tables), next: null });
    await readLong((long) => readLongList(long, query, take));
    return;
  }
  const page = await find((found) => findPage(found, query, limit ?? maxShortRows, memo));
  const { version, parts, next, isFrequent } = page;
  const isPart = limit === undefined && next !== null;
  await onStart({ version, next: isPart ? null : next });
  if (isPart) await readLong((long) => readLongList(long, query, take, isFrequent));
  else await takeParts(db, query, parts, take);
}

/** Reports whether a whole list is too long for one query. Counting costs little, and the rows would be read in vain. */
async function isTooLong(db: Database, query: ListQuery): Promise<boolean> {
  const found = sql.fragment`select ${filteredAndOrdered(query, maxShortRows + 1)}`;
  const count = sql.type(countRow)`select count(*)::integer as count from (${found}) as found`;
  return (await db.oneFirst(count)) > maxShortRows;
}

/**
 * Selects a row as JSON that Postgres makes, which is where a very long list costs least; of a long row, its size; null if
 * the probe fails.
 */
function rowText({ columns, keptText, maxTextBytes }: ListQuery, probe?: FragmentSqlToken): FragmentSqlToken {
  const made = sql.fragment`
    case when ${maxTextBytes} > ${maxShortTextBytes} then (${maxTextBytes})::text else ${rowAsJson(columns)} end
  `;
  const text = keptText === undefined ? made : sql.fragment`coalesce(${keptText}, ${made})`;
  return probe === undefined ? text : sql.fragment`case when ${probe} then ${text} end`;
}

/** Not validated: there may be very many rows, and Postgres itself makes their text. */
const fetchedRow = z.unknown() as unknown as z.ZodType<{
  readonly json: string | null;
  readonly id: LongRow['id'];
}>;

/** Many lists are read at once, each with so many rows in memory, about 128 KB of issues. */
const fetchRows = sql.type(fetchedRow)`fetch 250 from list`;

/**
 * Reads a whole list in one snapshot, by a cursor. Keeps a connection until the reader has taken all rows. Nobody repeats
 * the transaction: its first rows would be sent twice.
 *
 * @param isFrequent - whether the list has a search for a frequent word. Its index would return most of the table before the
 *   first row, so the cursor returns all rows in order and probes each: no fetch takes long, wherever the word is. The index
 *   serves any other search.
 */
export async function readLongList(
  db: Database,
  query: ListQuery,
  take: TakeRows,
  isFrequent = false,
): Promise<void> {
  const { search } = query;
  const probe = isFrequent ? search?.probe : undefined;
  const rowsOf = probe === undefined ? query : { ...query, search: undefined };
  const declare = (tx: Database) =>
    tx.query(sql.unsafe`
      declare list no scroll cursor for
      select ${rowText(query, probe)} as json, ${query.id} as id ${filteredAndOrdered(rowsOf)}
    `);
  const read = async (tx: Database) => {
    await tx.query(sql.unsafe`set transaction isolation level repeatable read, read only`);
    await (search === undefined ? declare(tx) : runSearchWithin(tx, search, declare));
    while (true) {
      const rows = await tx.any(fetchRows);
      const parts = rows.flatMap(({ json, id }): Part[] => {
        if (json === null) return [];
        return [json.startsWith('{') ? json : { id, bytes: Number(json) }];
      });
      if (rows.length === 0 || !(await takeParts(tx, query, parts, take))) return;
    }
  };
  await db.transaction(read, 0);
}

const totals = z.record(z.string(), z.int());

/** How many rows of a list match its filters, and perhaps more counts. */
export type Totals = z.infer<typeof totals>;

/** Counts the rows of a list, on all pages together. */
export async function countRows(db: Database, query: ListQuery): Promise<Totals> {
  const { source, search } = query;
  const isCounted = sql.and(readByMatches(query));
  const ofSource = sql.unsafe`select count(*) as total ${source} where ${isCounted} ${unprepared}`;
  const count = (on: Database) => on.one(query.totals ?? ofSource);
  return totals.parse(search === undefined ? await count(db) : await runSearch(db, search, count));
}
