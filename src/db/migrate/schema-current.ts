import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { migrationsFolder, readMigrationFiles } from './files.ts';

const row = z.object({ found: z.boolean() });

/**
 * Whether the newest migration of this build is applied, for a readiness check: one query, two on a
 * database without migrations. The name is read from the folder at each call, which costs less than the
 * query. A database that is ahead of this build counts as current.
 */
export async function isSchemaCurrent(db: Database, folder = migrationsFolder()): Promise<boolean> {
  const newest = (await readMigrationFiles(folder)).at(-1);
  if (newest === undefined) {
    return true;
  }
  // A query on a table that isn't there would cost the pool its connection, so its presence is asked first.
  const hasTable = await db.oneFirst(
    sql.type(row)`select to_regclass('public.migrations') is not null as found`,
  );
  return (
    hasTable &&
    db.oneFirst(sql.type(row)`
      select exists (select from public.migrations where name = ${newest.name}) as found
    `)
  );
}
