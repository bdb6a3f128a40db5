import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, DatabaseError } from 'pg';
import { from } from 'pg-copy-streams';

/** A dedicated connection for bulk loads: the pool of the service has no COPY and a statement timeout. */
export type BulkConnection = Client;

/** The value of a column. Times are ISO 8601 texts. */
type Value = string | number | boolean | null;

/** The size of the pieces that are sent to the server. */
const pieceBytes = 65_536;

/** Reports whether the error is a unique violation (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505';
}

/**
 * Copies rows into a table. Reads them as fast as the server takes them, so memory does not depend on their number.
 *
 * @param columns - the columns to fill, which are properties of each row; the others get their defaults
 * @returns how many rows it copied
 */
export async function copyRows<Column extends string>(
  connection: BulkConnection,
  table: string,
  columns: readonly Column[],
  rows: Iterable<Readonly<Record<Column, Value>>>,
): Promise<number> {
  const copy = connection.query(from(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(pieces(columns, rows), { highWaterMark: 2 }), copy);
  return copy.rowCount;
}

/**
 * Encodes rows in the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html). Writes them into
 * buffers one by one, because joined strings live long enough to make the heap grow.
 */
function* pieces<Column extends string>(
  columns: readonly Column[],
  rows: Iterable<Readonly<Record<Column, Value>>>,
): Generator<Buffer> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let used = 0;
  for (const row of rows) {
    const line = `${columns.map((column) => field(row[column])).join('\t')}\n`;
    const size = Buffer.byteLength(line);
    if (used + size > piece.length) {
      yield piece.subarray(0, used);
      piece = Buffer.allocUnsafe(Math.max(pieceBytes, size));
      used = 0;
    }
    used += piece.write(line, used);
  }
  yield piece.subarray(0, used);
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: Value): string {
  if (value === null) return '\\N';
  const text = String(value);
  // Most texts have nothing to escape, and testing is cheaper than replacing.
  if (!special.test(text)) return text;
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
