import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/lists.ts';
import type { RunLimited } from '../../shared/semaphore.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import type { ListQuery } from './list-query.ts';

/** A row of a list as the JSON text that Postgres makes of it. */
interface JsonRow {
  readonly json: string;
}

type Id = string | number;

/** A row that was found, and its place where that is asked for. */
interface FoundRow {
  /** Null where it is long, and still to be read. */
  readonly json: string | null;
  /** Of one that is long. A short one has no more than it needs, because there may be very many. */
  readonly long: readonly [bytesOfLongestText: number, id: Id] | null;
  readonly id: Id;
  readonly at: string;
}

/** Not checked: there may be very many rows, and their text is Postgres' own. */
const listRow = z.unknown() as unknown as z.ZodType<JsonRow>;
const foundRow = z.unknown() as unknown as z.ZodType<FoundRow>;
const longRow = z.unknown() as unknown as z.ZodType<JsonRow & { readonly id: Id }>;

/** As many rows of a whole list are too many for one query: about 1 MB of issues. */
const mostRows = 2_000;
/** Bytes of a text beyond which a row is not read with so many others. */
const shortText = 16 * 1024;
/** How many rows a cursor gives first, and at most: even where long ones begin, they fit the memory and the time. */
const firstRows = 16;
const mostFetched = 100;
/** About how many characters of long rows are read at a time. */
const chunkLength = 2 * 1024 * 1024;

/**
 * Reads a list, or with a limit a page of it, in chunks, so that the memory stays flat however many rows there are and
 * however long they are. One snapshot says which rows there are, and in what order.
 *
 * @param inTurn - a whole list of many rows keeps a connection for as long as its reader takes, so it waits for its turn
 * @returns the place of the last row of a page where more rows follow
 */
export async function readList(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
  take: TakeRows,
  inTurn: RunLimited,
): Promise<Position | null> {
  const rows = await findRows(db, query, limit);
  if (rows === undefined) {
    await inTurn(() => readByCursor(db, query, take));
    return null;
  }
  const page = rows.slice(0, limit);
  for (const chunk of chunksOf(page)) {
    const long = await selectLong(db, query, chunk);
    // A long one that is gone by now is left out.
    const texts = chunk.map((row) => row.json ?? long.get(idOf(row))).filter((text) => text !== undefined);
    if (!(await take(texts))) return null;
  }
  const last = page.at(-1);
  return last === undefined || rows.length === page.length ? null : [last.at, last.id];
}

/**
 * Finds the rows of a list, or of a page and one more, and reads those that are short: a list of short ones, as most
 * are, is this one plain query. Undefined where a whole list has too many rows for that.
 */
async function findRows(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
): Promise<readonly FoundRow[] | undefined> {
  const { time, id, maxTextBytes: longest } = query;
  const place = sql.fragment`, to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, ${id} as id`;
  const most = limit === undefined ? mostRows : limit + 1;
  const rows = await db.any(sql.type(foundRow)`
    select
      case when ${longest} > ${shortText} then null else ${jsonOf(query)} end as json,
      case when ${longest} > ${shortText} then json_build_array(${longest}, ${id}) end as long
      ${limit === undefined ? sql.fragment`` : place}
    ${inOrder(query)}
    limit ${most}
  `);
  return limit === undefined && rows.length === most ? undefined : rows;
}

/** Cuts rows so that those of a chunk which are still to be read fit it. */
function* chunksOf(rows: readonly FoundRow[]): Generator<FoundRow[]> {
  let chunk: FoundRow[] = [];
  let length = 0;
  for (const row of rows) {
    const [more] = row.long ?? [0];
    if (length > 0 && length + more > chunkLength) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(row);
    length += more;
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Reads the long ones of some rows that were found, by their ids. Each chunk is a query of its own, so that no
 * connection waits for the reader. A row that changes meanwhile keeps its place: by its time or by the conditions of the
 * list it might be lost, or be there twice.
 */
async function selectLong(
  db: Database,
  query: ListQuery,
  found: readonly FoundRow[],
): Promise<ReadonlyMap<Id | undefined, string>> {
  const ids = found.map(idOf).filter((id) => id !== undefined);
  if (ids.length === 0) return new Map();
  const type = typeof ids[0] === 'number' ? 'int8' : 'text';
  const rows = await db.any(sql.type(longRow)`
    select ${jsonOf(query)} as json, ${query.id} as id
    ${query.source}
    where ${query.id} = any(${sql.array(ids, type)})
  `);
  return new Map(rows.map(({ json, id }) => [id, json]));
}

/** The id of a row that is long. */
const idOf = ({ long }: FoundRow): Id | undefined => long?.[1];

/** Objects made by Postgres cost it more than they save this process, which has but one thread for everybody. */
function jsonOf({ columns }: ListQuery): FragmentSqlToken {
  return sql.fragment`(select row_to_json(list_row)::text from (select ${columns}) as list_row)`;
}

function inOrder({ source, conditions, time, id }: ListQuery): FragmentSqlToken {
  return sql.fragment`${source} where ${sql.and(conditions)} order by ${time} desc, ${id} desc`;
}

const fetchRows = sql.type(listRow)`fetch forward 1 from list`;

/** Reads a whole list in one snapshot, which takes a connection from its begin to its end. */
async function readByCursor(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(
      sql.unsafe`declare list no scroll cursor for select ${jsonOf(query)} as json ${inOrder(query)}`,
    );
    let count = firstRows;
    while (true) {
      // FETCH takes no parameter for the number of rows.
      const rows = await tx.any({ ...fetchRows, sql: `fetch forward ${count} from list` });
      const listens = await take(rows.map(({ json }) => json));
      if (!listens || rows.length < count) return;
      count = nextCount(rows);
    }
  });
}

/** How many rows come next, when they are about as long as those before: as many as a chunk has room for. */
function nextCount(rows: readonly JsonRow[]): number {
  const length = rows.reduce((sum, { json }) => sum + json.length, 0);
  return Math.min(mostFetched, Math.ceil((chunkLength * rows.length) / length));
}
