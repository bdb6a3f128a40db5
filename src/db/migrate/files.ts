import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { ExpectedError } from '../../shared/errors.ts';

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

/**
 * Creates the next numbered migration, an empty file such as `0014_add_due_date.sql` for "Add due date".
 *
 * @returns the path of the new file
 * @throws ExpectedError if the name has no letter or digit, or has characters other than ASCII letters,
 *   digits, spaces, hyphens and underscores
 */
export async function createMigration(name: string, folder: string = migrationsFolder()): Promise<string> {
  const slug = toSnakeCase(name);
  const newest = (await migrationNames(folder)).at(-1) ?? '0';
  const number = Number.parseInt(newest, 10) + 1;
  const path = join(folder, `${String(number).padStart(4, '0')}_${slug}.sql`);
  // wx: never overwrites a migration with the same number and name.
  await writeFile(path, '', { flag: 'wx' });
  return path;
}

function toSnakeCase(name: string): string {
  const slug = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
  if (!/^[a-z0-9_]{1,80}$/.test(slug)) {
    throw new ExpectedError(
      `Invalid migration name: "${name}". Use up to 80 ASCII letters, digits, hyphens and underscores.`,
    );
  }
  return slug;
}
