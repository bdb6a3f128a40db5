import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { RunLimited } from '../../shared/semaphore.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import { findMatches, probeEachRow } from './find-matches.ts';
import { filteredAndOrdered, type ListQuery, rowAsJson } from './list-query.ts';
import { chunkLength, readByCursor } from './read-by-cursor.ts';

type Id = string | number;

/** A row that was found, with its position if the caller asked for a page. */
interface FoundRow {
  /** Null if the row is long and has yet to be read. */
  readonly json: string | null;
  /** Null if the row is short. There may be very many short rows, so they carry no more than they need. */
  readonly long: readonly [maxTextBytes: number, id: Id] | null;
  readonly id: Id;
  /** The value that the list is sorted by. */
  readonly at: string;
}

/** Not validated: there may be very many rows, and Postgres itself makes their text. */
const foundRow = z.unknown() as unknown as z.ZodType<FoundRow>;
const longRow = z.unknown() as unknown as z.ZodType<{ readonly json: string; readonly id: Id }>;

/** A whole list with this many rows is too long for one query: about 1 MB of issues. */
const maxRowsPerQuery = 2_000;
/** A row with a longer text is not read in the first query. */
const maxShortTextBytes = 16 * 1024;

/**
 * Reads a list, or one page of it if there is a limit, in chunks: the memory stays flat for any number and length of
 * rows. One snapshot determines the rows and their order.
 *
 * @param runLimited - limits how many long lists are read at once, because each keeps a connection until its reader is
 *   done
 * @param onPage - called before the first rows of a page are taken, with what is returned in the end
 * @param limitFind - limits how many searches run at once
 * @returns the position of the last row of a page if more rows follow
 */
export async function readList(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
  take: TakeRows,
  runLimited: RunLimited,
  onPage: (next: Position | null) => void = () => {},
  limitFind: RunLimited = (work) => work(),
): Promise<Position | null> {
  const rows = await limitFind(() => findRows(db, query, limit));
  if (rows === undefined) {
    await runLimited(() => readByCursor(db, probeEachRow(query), take));
    return null;
  }
  const page = rows.slice(0, limit);
  const next = rows.length > page.length ? positionOf(query, page.at(-1)) : null;
  onPage(next);
  for (const chunk of chunksOf(page)) {
    const long = await selectLongRows(db, query, chunk);
    // A long row that has been deleted since is left out.
    const texts = chunk
      .map((row) => row.json ?? long.get(idOfLongRow(row)))
      .filter((text) => text !== undefined);
    if (!(await take(texts))) return null;
  }
  return next;
}

function positionOf({ order }: ListQuery, row: FoundRow | undefined): Position | null {
  if (row === undefined) return null;
  return order.isDefault ? [row.at, row.id] : [row.at, row.id, order.sort];
}

/**
 * Finds the rows of a list, or of a page and one more, and reads the short ones. Most lists have only short rows, so
 * this one query reads all of them. Returns undefined if a whole list has too many rows for one query.
 */
async function findRows(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
): Promise<readonly FoundRow[] | undefined> {
  const { order, id, maxTextBytes, search } = query;
  const position = sql.fragment`, ${order.value} as at, ${id} as id`;
  const maxRows = limit === undefined ? maxRowsPerQuery : limit + 1;
  const select = (on: Database, list: ListQuery) =>
    on.any(sql.type(foundRow)`
      select
        case when ${maxTextBytes} > ${maxShortTextBytes} then null else ${rowAsJson(query)} end as json,
        case when ${maxTextBytes} > ${maxShortTextBytes} then json_build_array(${maxTextBytes}, ${id}) end as long
        ${limit === undefined ? sql.fragment`` : position}
      ${filteredAndOrdered(list)}
      limit ${maxRows}
    `);
  const rows =
    search === undefined
      ? await select(db, query)
      : await findMatches(db, { ...query, search }, maxRows, select);
  return limit === undefined && rows.length === maxRows ? undefined : rows;
}

/** Splits rows into chunks that hold a limited length of long rows. */
function* chunksOf(rows: readonly FoundRow[]): Generator<FoundRow[]> {
  let chunk: FoundRow[] = [];
  let length = 0;
  for (const row of rows) {
    const [rowLength] = row.long ?? [0];
    if (length > 0 && length + rowLength > chunkLength) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(row);
    length += rowLength;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Reads the long rows of a chunk by their ids. Each chunk is a query of its own, so that no connection waits for the
 * reader. A row that has changed since keeps its place: selected by its time or by the list's conditions, it might be
 * missing or appear twice.
 */
async function selectLongRows(
  db: Database,
  query: ListQuery,
  found: readonly FoundRow[],
): Promise<ReadonlyMap<Id | undefined, string>> {
  const ids = found.map(idOfLongRow).filter((id) => id !== undefined);
  if (ids.length === 0) return new Map();
  const type = typeof ids[0] === 'number' ? 'int8' : 'text';
  const rows = await db.any(sql.type(longRow)`
    select ${rowAsJson(query)} as json, ${query.id} as id
    ${query.source}
    where ${query.id} = any(${sql.array(ids, type)})
  `);
  return new Map(rows.map(({ json, id }) => [id, json]));
}

const idOfLongRow = ({ long }: FoundRow): Id | undefined => long?.[1];
