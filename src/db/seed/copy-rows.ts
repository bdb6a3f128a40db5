import { pipeline } from 'node:stream/promises';
import { type Client, DatabaseError } from 'pg';
import { from } from 'pg-copy-streams';

/** A dedicated connection for bulk loads: the pool of the service has no COPY and a statement timeout. */
export type BulkConnection = Client;

/** Values by column. Times are ISO 8601 texts. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Reports whether the error is a unique violation (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505';
}

/** Copies rows into a table. The first row says which columns they have; the other columns get their defaults. */
export async function copyRows(
  connection: BulkConnection,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const copy = connection.query(from(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline([encode(columns, rows)], copy);
}

/** Encodes rows in the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html). */
function encode(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => `${columns.map((column) => encodeValue(row[column])).join('\t')}\n`);
  return lines.join('');
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function encodeValue(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return String(value).replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
