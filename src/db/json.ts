import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../contract/lists.ts';
import type { Database } from './pool.ts';

/** Takes a piece of a text; resolves when there is room for the next, with false when nobody listens any more. */
export type Write = (text: string) => Promise<boolean>;

/** Runs work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Not checked: there may be very many rows, and their text is Postgres' own. */
const jsonRow = z.unknown() as unknown as z.ZodType<{ json: string }>;

/** Rows in one round trip, and so in memory: about 1 MB of issues. FETCH takes no parameter for their number. */
const chunkSize = 2_000;
const fetchChunk = sql.type(jsonRow)`fetch forward 2000 from list`;

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
}

/**
 * Writes `{"<name>":[…]}` with every row of a list, in one snapshot and in chunks, so that the memory stays flat
 * however many rows there are. A reader that leaves ends it.
 *
 * @param inTurn - a list of several chunks keeps a connection for as long as its reader takes, so it waits for its turn
 */
export async function streamJsonList(
  db: Database,
  name: string,
  { columns, source, conditions, time, id }: ListQuery,
  write: Write,
  inTurn: InTurn,
): Promise<void> {
  const opening = `{${JSON.stringify(name)}:[`;
  // Objects made by Postgres cost it more than they save this process, which has but one thread for everybody.
  const jsonRows = sql.fragment`
    select row_to_json(list_row)::text as json
    from (
      select ${columns} ${source} where ${sql.and(conditions)} order by ${time} desc, ${id} desc
    ) as list_row
  `;
  // A list of one chunk, as most are, is one plain query; a cursor and its transaction are four.
  const rows = await db.any(sql.type(jsonRow)`${jsonRows} limit ${chunkSize}`);
  if (rows.length < chunkSize) await write(`${opening}${toJson(rows)}]}`);
  else await inTurn(() => streamByCursor(db, opening, jsonRows, write));
}

async function streamByCursor(
  db: Database,
  opening: string,
  jsonRows: FragmentSqlToken,
  write: Write,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql.unsafe`declare list no scroll cursor for ${jsonRows}`);
    let rows = await tx.any(fetchChunk);
    let text = opening + toJson(rows);
    while (rows.length === chunkSize) {
      if (!(await write(text))) return;
      rows = await tx.any(fetchChunk);
      text = rows.length === 0 ? '' : `,${toJson(rows)}`;
    }
    await write(`${text}]}`);
  });
}

/** The members of a JSON array, without its brackets. */
function toJson(rows: readonly { json: string }[]): string {
  return rows.map((row) => row.json).join(',');
}

const pageRow = z.object({ json: z.string(), at: z.string(), id: z.union([z.int(), z.string()]) });

/** The JSON texts of a page of a list, and the place of its last row where more rows follow. */
export async function selectJsonPage(
  db: Database,
  { columns, source, conditions, time, id }: ListQuery,
  limit: number,
): Promise<{ rows: readonly string[]; next: Position | null }> {
  const rows = await db.any(sql.type(pageRow)`
    select
      (select row_to_json(list_row)::text from (select ${columns}) as list_row) as json,
      to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      ${id} as id
    ${source}
    where ${sql.and(conditions)}
    order by ${time} desc, ${id} desc
    limit ${limit + 1}
  `);
  const last = rows[limit - 1];
  return {
    rows: rows.slice(0, limit).map(({ json }) => json),
    next: rows.length > limit && last !== undefined ? [last.at, last.id] : null,
  };
}

/** That one of the columns contains a text, in capitals or not; the signs of LIKE stand for themselves. */
export function contains(columns: readonly FragmentSqlToken[], text: string): FragmentSqlToken {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql.fragment`(${sql.or(columns.map((column) => sql.fragment`${column} ilike ${pattern}`))})`;
}
