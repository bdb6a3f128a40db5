import { sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import { handOver } from '../replica/attempt.ts';
import { filteredAndOrdered, type ListQuery, rowAsJson } from './list-query.ts';

interface JsonRow {
  readonly json: string;
}

/** Not validated: there may be very many rows, and Postgres itself makes their text. */
const jsonRow = z.unknown() as unknown as z.ZodType<JsonRow>;

/** About how many characters are read at a time. */
export const chunkLength = 2 * 1024 * 1024;
/** Fetched first, and at most at once: even if long rows follow, they fit into memory and the statement timeout. */
const firstFetchRows = 16;
const maxFetchRows = 100;

const fetchRows = sql.type(jsonRow)`fetch forward 1 from list`;

/** Reads a whole list in one snapshot. Keeps a connection until the reader has taken all rows. */
export async function readByCursor(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  const read = async (tx: Database) => {
    await tx.query(
      sql.unsafe`declare list no scroll cursor for select ${rowAsJson(query)} as json ${filteredAndOrdered(query)}`,
    );
    let count = firstFetchRows;
    while (true) {
      // FETCH accepts no parameter for the number of rows.
      const rows = await tx.any({ ...fetchRows, sql: `fetch forward ${count} from list` });
      handOver(tx);
      const isReading = await take(rows.map(({ json }) => json));
      if (!isReading || rows.length < count) return;
      count = nextFetchRows(rows);
    }
  };
  // Slonik would repeat it after some errors, such as those of a replica, and send the first rows twice.
  await db.transaction(read, noRetries);
}

const noRetries = 0;

/** Returns how many rows of the same average length fit a chunk. */
function nextFetchRows(rows: readonly JsonRow[]): number {
  const length = rows.reduce((sum, { json }) => sum + json.length, 0);
  return Math.min(maxFetchRows, Math.ceil((chunkLength * rows.length) / length));
}
