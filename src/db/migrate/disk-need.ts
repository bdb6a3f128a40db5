import { join } from 'node:path';
import type { Client } from 'pg';
import { partsOf, readMigrationFile } from './files.ts';

/**
 * Says how much free disk migrations need at most. They may write each table that they name once more, with its indexes,
 * and Postgres logs what they write.
 *
 * @param names - the migrations, whose files are in the folder
 */
export async function describeDiskNeed(
  client: Client,
  folder: string,
  names: readonly string[],
): Promise<string> {
  const files = await Promise.all(names.map((name) => readMigrationFile(join(folder, `${name}.sql`))));
  const text = files.map((file) => partsOf(file).up).join('\n');
  const { rows } = await client.query<{ name: string; bytes: number }>(`
    select relname as name, (
      pg_total_relation_size(pg_class.oid) + coalesce(
        (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = pg_class.oid), 0
      )
    )::float8 as bytes
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  `);
  const named = rows.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const bytes = writtenTimes * named.reduce((sum, table) => sum + table.bytes, 0);
  return `The migrations need up to ${format(bytes)} of free disk on the database server for a while.`;
}

/** Once as a table, and once in the log. */
const writtenTimes = 2;

function format(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
