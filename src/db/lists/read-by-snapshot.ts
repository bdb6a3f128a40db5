import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/pool.ts';
import { filteredAndOrdered } from './filtered-rows.ts';
import type { ListQuery } from './list-query.ts';
import { longPageRows, pageRows } from './page-rows.ts';
import { noRetries } from './read-by-cursor.ts';
import { partsOf, rowText } from './row-texts.ts';
import { takeParts } from './take-parts.ts';

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
  const read = async (tx: Database) => {
    await tx.query(sql.unsafe`set transaction isolation level repeatable read, read only`);
    let page = query;
    let maxRows = longPageRows;
    while (true) {
      const { length, rows, value, id } = await selectPage(tx, page, maxRows);
      if (rows !== null && !(await takeParts(tx, query, partsOf(rows), take))) return;
      if (rows === null || length < maxRows) return;
      if (value === null || id === null) throw new Error('The rows of this list have no position.');
      const cursor: Position = [value, id];
      page = { ...query, order: { ...query.order, cursor } };
      maxRows = rows.length > longRowLength * length ? longPageRows : pageRows;
    }
  };
  // Slonik would repeat it after some errors, such as those of a replica, and send the first rows twice.
  await db.transaction(read, noRetries);
}

/**
 * Selects the first rows of a list as one text, and the position of the last one. Only JSON has a format for every time,
 * infinite ones too, that does not depend on the session.
 */
async function selectPage(tx: Database, query: ListQuery, maxRows: number) {
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
