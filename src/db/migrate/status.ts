import type { Client } from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { withConnection } from '../connection/own-connection.ts';
import { type AppliedMigration, readApplied } from './applied.ts';
import { type MigrationFile, migrationNames, migrationsFolder, readMigrationFiles } from './files.ts';
import { isFormerSchema } from './former-schema.ts';

/**
 * The state of a migration in the database compared with its file: `pending`, `applied`, or applied and the file has
 * been `edited` since or is `missing`.
 */
export interface MigrationStatus {
  name: string;
  state: 'applied' | 'pending' | 'edited' | 'missing';
  /** ISO 8601 UTC, or null if the migration is pending. */
  appliedAt: string | null;
}

/**
 * Returns the state of each migration that the database or this build knows, sorted by name. Changes nothing: on an
 * empty database all are `pending`, and on one with a former schema too, until `migrateUp` adopts it.
 *
 * @throws OldSchemaError
 */
export async function migrationStatus(options: {
  databaseUrl: string;
  folder?: string;
}): Promise<MigrationStatus[]> {
  const files = await readMigrationFiles(options.folder);
  return withConnection(options.databaseUrl, (client) => readMigrationStatus(client, files));
}

/** Compares the files with the migrations that the database has applied. */
export async function readMigrationStatus(
  client: Client,
  files: readonly MigrationFile[],
): Promise<MigrationStatus[]> {
  const rows = await readApplied(client);
  const isFormer = isFormerSchema(rows);
  const applied = new Map(isFormer ? [] : rows.map((row) => [row.name, row]));
  const fileByName = new Map(files.map((file) => [file.name, file]));
  const names = [...new Set([...applied.keys(), ...fileByName.keys()])].sort();
  return names.map((name) => compare(name, fileByName.get(name), applied.get(name)));
}

function compare(name: string, file?: MigrationFile, applied?: AppliedMigration): MigrationStatus {
  if (applied === undefined) {
    return { name, state: 'pending', appliedAt: null };
  }
  const appliedAt = applied.appliedAt.toISOString();
  if (file === undefined) {
    return { name, state: 'missing', appliedAt };
  }
  return { name, state: file.sha256 === applied.sha256 ? 'applied' : 'edited', appliedAt };
}

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
