import type { Client } from 'pg';
import { sql } from 'slonik';
import type { Database } from '../connection/database.ts';
import { withConnection } from '../connection/own-connection.ts';
import { readApplied } from './applied.ts';
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
  return names.map((name) => {
    const file = fileByName.get(name);
    const done = applied.get(name);
    if (done === undefined) return { name, state: 'pending', appliedAt: null };
    const isSame = file?.sha256 === done.sha256;
    const state = file === undefined ? 'missing' : isSame ? 'applied' : 'edited';
    return { name, state, appliedAt: done.appliedAt.toISOString() };
  });
}

/**
 * Reports whether the newest migration of this build is applied, for a readiness check. Runs two short queries. Lists
 * the folder on each call, which costs less than a query. A database that is ahead of this build counts as current.
 */
export async function isSchemaCurrent(db: Database, folder = migrationsFolder()): Promise<boolean> {
  const newest = (await migrationNames(folder)).at(-1);
  if (newest === undefined) return true;
  // First whether the table exists, because the server logs a statement that fails.
  const hasTable = await db.exists(sql.unsafe`select where to_regclass('public.migrations') is not null`);
  return hasTable && (await db.exists(sql.unsafe`select from public.migrations where name = ${newest}`));
}
