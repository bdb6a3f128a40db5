import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** A numbered file of plain SQL. */
export interface MigrationFile {
  /** The file's name without `.sql`, such as `0005_issues`. */
  readonly name: string;
  readonly sql: string;
  /** The SHA-256 of the text in hex, with LF line ends, so that a checkout with CRLF is the same migration. */
  readonly sha256: string;
}

/**
 * Returns the folder `migrations/` of this package. Works from the sources and from the build: `dist/` has no
 * package.json, so the nearest one above is the package's own.
 */
export function migrationsFolder(): string {
  return join(dirname(findPackageJSON('..', import.meta.url) ?? ''), 'migrations');
}

/** Reads all migrations of a folder, in the order in which they are applied. */
export async function readMigrationFiles(folder: string = migrationsFolder()): Promise<MigrationFile[]> {
  const names = await migrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const sql = (await readFile(join(folder, `${name}.sql`), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Returns the names of all migrations of a folder, in the order in which they are applied. */
export async function migrationNames(folder: string): Promise<string[]> {
  const fileNames = (await readdir(folder)).filter((fileName) => /^\d+_.*\.sql$/.test(fileName));
  return fileNames.map((fileName) => fileName.slice(0, -'.sql'.length)).sort();
}
