import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Database } from '../connection/database.ts';
import { filteredAndOrdered, maxShortRows } from './filter-scans.ts';
import { type ListQuery, rowAsJson } from './list-query.ts';
import { maxShortTextBytes, type Part, takeParts } from './row-parts.ts';

const countRow = z.object({ count: z.int() });

/** Reports whether a whole list is too long for one query. Counting costs little, and the rows would be read in vain. */
export async function isTooLong(db: Database, query: ListQuery): Promise<boolean> {
  const found = sql.fragment`select ${filteredAndOrdered(query, maxShortRows + 1)}`;
  const count = sql.type(countRow)`select count(*)::integer as count from (${found}) as found`;
  return (await db.oneFirst(count)) > maxShortRows;
}

/** Selects a row as JSON that Postgres makes, which is where a very long list costs least; of a long row, its size. */
function rowText({ columns, keptText, maxTextBytes }: ListQuery): FragmentSqlToken {
  const text = sql.fragment`
    case when ${maxTextBytes} > ${maxShortTextBytes} then (${maxTextBytes})::text else ${rowAsJson(columns)} end
  `;
  return keptText === undefined ? text : sql.fragment`coalesce(${keptText}, ${text})`;
}

/** Not validated: there are very many, and Postgres itself makes their text. */
const textRow = z.unknown() as unknown as z.ZodType<{ readonly text: string; readonly id: string | number }>;

/** Many lists are read at once, each with so many rows in memory, about 128 KB of issues. */
const fetchRows = sql.type(textRow)`fetch 250 from list`;

/**
 * Reads a whole list in one snapshot, by a cursor. Keeps a connection until the reader has taken all rows. Nobody repeats
 * the transaction: its first rows would be sent twice.
 */
export async function readLongList(db: Database, query: ListQuery, take: TakeRows): Promise<void> {
  const read = async (tx: Database) => {
    await tx.query(sql.unsafe`set transaction isolation level repeatable read, read only`);
    await tx.query(sql.unsafe`
      declare list no scroll cursor for select ${rowText(query)} as text, ${query.id} as id ${filteredAndOrdered(query)}
    `);
    while (true) {
      const rows = await tx.any(fetchRows);
      const parts = rows.map(
        ({ text, id }): Part => (text.startsWith('{') ? text : { id, bytes: Number(text) }),
      );
      if (rows.length === 0 || !(await takeParts(tx, query, parts, take))) return;
    }
  };
  await db.transaction(read, 0);
}
