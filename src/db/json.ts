import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../contract/lists.ts';
import type { Database } from './pool.ts';

/** Takes a piece of a text; resolves when there is room for the next, with false when nobody listens any more. */
export type Write = (text: string) => Promise<boolean>;

/** Takes some rows as JSON texts; resolves when there is room for more, with false when nobody listens any more. */
export type Take = (rows: readonly string[]) => Promise<boolean>;

/** Runs work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A row of a list as the JSON text that Postgres makes of it; its place is there where it is asked for. */
interface JsonRow {
  readonly json: string;
  readonly at: string;
  readonly id: string | number;
}

/** Not checked: there may be very many rows, and their text is Postgres' own. */
const listRow = z.unknown() as unknown as z.ZodType<JsonRow>;
const shortRow = z.unknown() as unknown as z.ZodType<JsonRow | { readonly json: null }>;

/** Rows of a list that is read by one query: about 1 MB of issues. */
const mostRows = 2_000;
/** Bytes of a text beyond which so many rows are not read at once. */
const shortText = 16 * 1024;
/** How many rows a cursor gives first, and at most: even where long ones begin, they fit the memory and the time. */
const firstRows = 16;
const mostFetched = 100;
/** About how many characters of rows it gives at a time. */
const chunkLength = 2 * 1024 * 1024;

/** A timestamp column as ISO 8601 UTC with milliseconds. Postgres formats it at half the cost of a `Date`. */
export function isoTimestamp(column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A list as SQL: its rows are JSON objects of the columns, the newest first. */
export interface ListQuery {
  readonly columns: FragmentSqlToken;
  /** `from …`, with its joins. */
  readonly source: FragmentSqlToken;
  /** False is none. */
  readonly conditions: readonly (FragmentSqlToken | false)[];
  /** What the list is ordered by, before the id. */
  readonly time: FragmentSqlToken;
  readonly id: FragmentSqlToken;
  /** The bytes of the longest text in a row, by what tells them without reading it, as octet_length does. */
  readonly longest: FragmentSqlToken;
}

/**
 * Reads a list, or with a limit a page of it, in one snapshot and in chunks, so that the memory stays flat however many
 * rows there are and however long they are.
 *
 * @param inTurn - a list of several chunks keeps a connection for as long as its reader takes, so it waits for its turn
 * @returns the place of the last row of a page where more rows follow
 */
export async function readJsonRows(
  db: Database,
  query: ListQuery,
  limit: number | undefined,
  take: Take,
  inTurn: InTurn,
): Promise<Position | null> {
  const most = limit === undefined ? mostRows : limit + 1;
  // A list of one chunk, as most are, is one plain query; a cursor and its transaction are four.
  const rows = await db.any(sql.type(shortRow)`${selectRows(query, limit, true)} limit ${most}`);
  if ((limit === undefined && rows.length === most) || !rows.every(isShort)) {
    return await inTurn(() => readByCursor(db, selectRows(query, limit, false), limit, take));
  }
  await take(textsOf(rows.slice(0, limit)));
  const last = limit === undefined || rows.length <= limit ? undefined : rows[limit - 1];
  return last === undefined ? null : [last.at, last.id];
}

const textsOf = (rows: readonly JsonRow[]) => rows.map(({ json }) => json);
const isShort = (row: { readonly json: string | null }): row is JsonRow => row.json !== null;

/** With `short`, a row with a long text has null for its JSON. */
function selectRows(
  { columns, source, conditions, time, id, longest }: ListQuery,
  limit: number | undefined,
  short: boolean,
): FragmentSqlToken {
  // Objects made by Postgres cost it more than they save this process, which has but one thread for everybody.
  const json = sql.fragment`(select row_to_json(list_row)::text from (select ${columns}) as list_row)`;
  const place = sql.fragment`, to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, ${id} as id`;
  return sql.fragment`
    select
      ${short ? sql.fragment`case when ${longest} > ${shortText} then null else ${json} end` : json} as json
      ${limit === undefined ? sql.fragment`` : place}
    ${source}
    where ${sql.and(conditions)}
    order by ${time} desc, ${id} desc
  `;
}

const fetchRows = sql.type(listRow)`fetch forward 1 from list`;

async function readByCursor(
  db: Database,
  rowsOfList: FragmentSqlToken,
  limit: number | undefined,
  take: Take,
): Promise<Position | null> {
  return await db.transaction(async (tx) => {
    // A limit of null is none.
    const most = limit === undefined ? null : limit + 1;
    await tx.query(sql.unsafe`declare list no scroll cursor for ${rowsOfList} limit ${most}::bigint`);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let count = firstRows;
    let last: JsonRow | undefined;
    while (true) {
      // FETCH takes no parameter for the number of rows.
      const rows = await tx.any({ ...fetchRows, sql: `fetch forward ${count} from list` });
      const page = rows.slice(0, left);
      last = page.at(-1) ?? last;
      const listens = await take(textsOf(page));
      if (rows.length > left) return last === undefined ? null : [last.at, last.id];
      if (!listens || rows.length < count) return null;
      left -= rows.length;
      count = nextCount(rows);
    }
  });
}

/** How many rows come next, when they are about as long as those before: as many as a chunk has room for. */
function nextCount(rows: readonly JsonRow[]): number {
  const length = rows.reduce((sum, { json }) => sum + json.length, 0);
  return Math.min(mostFetched, Math.ceil((chunkLength * rows.length) / length));
}

/** That one of the columns contains a text, in capitals or not; the signs of LIKE stand for themselves. */
export function contains(columns: readonly FragmentSqlToken[], text: string): FragmentSqlToken {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql.fragment`(${sql.or(columns.map((column) => sql.fragment`${column} ilike ${pattern}`))})`;
}
