import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { migrationNames, migrationsFolder } from './files.ts';

const row = z.object({ found: z.boolean() });

/**
 * Reports whether the newest migration of this build is applied, for a readiness check. Runs two short queries. Lists
 * the folder on each call, which costs less than a query. A database that is ahead of this build counts
 * as current.
 */
export async function isSchemaCurrent(db: Database, folder = migrationsFolder()): Promise<boolean> {
  const newest = (await migrationNames(folder)).at(-1);
  if (newest === undefined) {
    return true;
  }
  // Check that the table exists first, because slonik closes the connection of a query that fails.
  const hasTable = await db.oneFirst(
    sql.type(row)`select to_regclass('public.migrations') is not null as found`,
  );
  return (
    hasTable &&
    db.oneFirst(sql.type(row)`
      select exists (select from public.migrations where name = ${newest}) as found
    `)
  );
}
