import type { Client } from 'pg';
import { withConnection } from '../connection/own-connection.ts';
import { type MigrationFile, migrationsFolder, readMigrationFiles } from './files.ts';
import { migrationsTable } from './migration-lock.ts';

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

interface AppliedMigration {
  name: string;
  sha256: string;
  run_on: Date;
}

/**
 * Returns the state of each migration that the database or this build knows, sorted by name. Changes nothing: on an
 * empty database all are `pending`.
 */
export async function migrationStatus(options: {
  databaseUrl: string;
  folder?: string;
}): Promise<MigrationStatus[]> {
  const files = await readMigrationFiles(options.folder ?? migrationsFolder());
  return withConnection(options.databaseUrl, (client) => readMigrationStatus(client, files));
}

/** Compares the files with the migrations that the database has applied. */
export async function readMigrationStatus(
  client: Client,
  files: readonly MigrationFile[],
): Promise<MigrationStatus[]> {
  const applied = new Map((await readAppliedMigrations(client)).map((row) => [row.name, row]));
  const fileByName = new Map(files.map((file) => [file.name, file]));
  const names = [...new Set([...applied.keys(), ...fileByName.keys()])].sort();
  return names.map((name) => compare(name, fileByName.get(name), applied.get(name)));
}

function compare(name: string, file?: MigrationFile, applied?: AppliedMigration): MigrationStatus {
  if (applied === undefined) {
    return { name, state: 'pending', appliedAt: null };
  }
  const appliedAt = applied.run_on.toISOString();
  if (file === undefined) {
    return { name, state: 'missing', appliedAt };
  }
  return { name, state: file.sha256 === applied.sha256 ? 'applied' : 'edited', appliedAt };
}

async function readAppliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query(
    `select from pg_tables where schemaname = 'public' and tablename = $1`,
    [migrationsTable],
  );
  if (tables.length === 0) {
    return [];
  }
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256, run_on from public.${migrationsTable}`,
  );
  return rows;
}
