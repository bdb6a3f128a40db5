import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from './pool.ts';

/** Takes a piece of a text; resolves when there is room for the next, with false when nobody listens any more. */
export type Write = (text: string) => Promise<boolean>;

/** Not checked: there may be very many rows, and their text is Postgres' own. */
const jsonRow = z.unknown() as unknown as z.ZodType<{ json: string }>;

/** Rows in one round trip, and so in memory: about 1 MB of issues. FETCH takes no parameter for their number. */
const chunkSize = 2_000;
const fetchChunk = sql.type(jsonRow)`fetch forward 2000 from list`;

/** A timestamp column as ISO 8601 UTC with milliseconds. Postgres formats it at half the cost of a `Date`. */
export function isoTimestamp(column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * Writes `{"<name>":[…]}` with every row of a query as a JSON object, in one snapshot and in chunks, so that the
 * memory stays flat however many rows there are. A reader that leaves ends it.
 *
 * @param query - a select whose columns are the fields of the objects
 */
export async function streamJsonList(
  db: Database,
  name: string,
  query: FragmentSqlToken,
  write: Write,
): Promise<void> {
  const opening = `{${JSON.stringify(name)}:[`;
  // Objects made by Postgres cost it more than they save this process, which has but one thread for everybody.
  const jsonRows = sql.fragment`select row_to_json(list_row)::text as json from (${query}) as list_row`;
  // A list of one chunk, as most are, is one plain query; a cursor and its transaction are four.
  const rows = await db.any(sql.type(jsonRow)`${jsonRows} limit ${chunkSize}`);
  if (rows.length < chunkSize) await write(`${opening}${toJson(rows)}]}`);
  else await streamByCursor(db, opening, jsonRows, write);
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
