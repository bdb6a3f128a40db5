import { sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import { unprepared } from '../connection/prepared-statements.ts';
import { handOver } from '../replica/attempt.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';

/** Many cursors are read at once, each with a chunk in memory. */
const cursorChunkLength = 128 * 1024;
/** Fetched at most at once, so that a chunk of rows that take long stays within the statement timeout. */
const maxFetchRows = 1_000;

const chunkRow = z.object({ text: z.string(), count: z.int() });

/** Reads a whole list in one snapshot. Keeps a connection until the reader has taken all rows. */
export async function readByCursor(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  const read = async (tx: Database) => {
    await tx.query(
      sql.unsafe`declare list no scroll cursor for select ${rowAsJson(query)} as json ${filteredAndOrdered(query)}`,
    );
    while (true) {
      const { text, count } = await tx.one(sql.type(chunkRow)`
        select text, count from fetch_joined('list', ${maxFetchRows}, ${cursorChunkLength}) ${unprepared}
      `);
      handOver(tx);
      if (count === 0 || !(await take([text]))) return;
    }
  };
  // Slonik would repeat it after some errors, such as those of a replica, and send the first rows twice.
  await db.transaction(read, noRetries);
}

export const noRetries = 0;
