import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** A numbered file of plain SQL. */
export interface MigrationFile {
  /** The file's name without `.sql`, such as `0002_issues`. */
  name: string;
  path: string;
  /** The SHA-256 of the text in hex, with LF line ends, so that a checkout with CRLF is the same migration. */
  sha256: string;
  sql: string;
}

/**
 * Returns the folder `migrations/` of this package. Works from the sources and from the build: `dist/` has no
 * package.json, so the nearest one above is the package's own.
 */
export function migrationsFolder(): string {
  const packageJson = findPackageJSON('..', import.meta.url);
  if (packageJson === undefined) {
    throw new Error('Cannot find the package.json of this package.');
  }
  return join(dirname(packageJson), 'migrations');
}

/** Reads all migrations of a folder, in the order in which they are applied. */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const names = await migrationNames(folder);
  return Promise.all(names.map((name) => readMigrationFile(join(folder, `${name}.sql`))));
}

/** Returns the names of all migrations of a folder, in the order in which they are applied. */
export async function migrationNames(folder: string): Promise<string[]> {
  const fileNames = (await readdir(folder)).filter((fileName) => /^\d+_.*\.sql$/.test(fileName));
  return fileNames.map(migrationName).sort();
}

/** Reads one migration and computes its checksum. */
export async function readMigrationFile(path: string): Promise<MigrationFile> {
  const sql = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  const sha256 = createHash('sha256').update(sql).digest('hex');
  return { name: migrationName(path), path, sha256, sql };
}

/**
 * Returns the SQL that applies a migration, and the SQL that reverts it.
 *
 * @throws if the file does not have both
 */
export function partsOf({ name, sql }: MigrationFile): { readonly up: string; readonly down: string } {
  const [up, down] = sql.split(/^-- Down Migration$/m);
  if (!up?.startsWith('-- Up Migration\n') || down === undefined) {
    throw new Error(
      `Migration ${name} must start with "-- Up Migration" and have a line "-- Down Migration".`,
    );
  }
  return { up, down };
}

function migrationName(path: string): string {
  return path.slice(path.search(/[^/\\]*$/), -'.sql'.length);
}
