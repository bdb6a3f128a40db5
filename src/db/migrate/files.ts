import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCode } from '../../shared/error-code.ts';
import { ExpectedError } from '../../shared/expected-error.ts';

/** The table of applied migrations: the columns of node-pg-migrate, and the checksum of each file. */
export const migrationsTable = 'migrations';

/** The setting from which a new row of that table takes its checksum. */
export const checksumSetting = 'backoffice.migration_sha256';

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

const template = `-- Up Migration



-- Down Migration


`;

/** A name from which no file name can be made. */
export class InvalidMigrationNameError extends ExpectedError {
  override readonly name = 'InvalidMigrationNameError';
}

/**
 * Creates the next numbered migration with its two empty parts, such as `0011_add_due_date.sql` for "Add due date".
 * Seal it before it lands (see sealMigrations).
 *
 * @returns the path of the new file
 * @throws InvalidMigrationNameError if the name has no letter or digit, or has characters other than ASCII letters,
 *   digits, spaces, hyphens and underscores
 */
export async function createMigration(name: string, folder: string = migrationsFolder()): Promise<string> {
  const slug = toSnakeCase(name);
  const newest = (await readMigrationFiles(folder)).at(-1);
  const number = newest === undefined ? 1 : Number.parseInt(newest.name, 10) + 1;
  const path = join(folder, `${String(number).padStart(4, '0')}_${slug}.sql`);
  // wx: never overwrites a migration with the same number and name.
  await writeFile(path, template, { flag: 'wx' });
  return path;
}

function toSnakeCase(name: string): string {
  const slug = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
  if (!/^[a-z0-9_]{1,80}$/.test(slug)) {
    throw new InvalidMigrationNameError(
      `Invalid migration name: "${name}". Use up to 80 ASCII letters, digits, hyphens and underscores.`,
    );
  }
  return slug;
}

/** A migration compared with `migrations/checksums.json`. */
interface SealedMigration {
  name: string;
  state: 'sealed' | 'unsealed' | 'edited' | 'missing';
}

/**
 * Writes the checksums of new migrations to `migrations/checksums.json`. From then on a test fails if such a file
 * changes, because installed databases may have applied it.
 *
 * @returns the names of the migrations that it sealed
 * @throws if a sealed file was edited or is missing
 */
export async function sealMigrations(folder: string = migrationsFolder()): Promise<string[]> {
  const migrations = await checkSeals(folder);
  const broken = migrations.filter(({ state }) => state === 'edited' || state === 'missing');
  if (broken.length > 0) {
    const names = broken.map(({ name, state }) => `${name} (${state})`).join(', ');
    throw new Error(`Sealed migrations cannot change. Restore ${names} and write a new migration.`);
  }
  const files = await readMigrationFiles(folder);
  const checksums = Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
  await writeFile(checksumsPath(folder), `${JSON.stringify(checksums, null, 2)}\n`);
  return migrations.filter(({ state }) => state === 'unsealed').map(({ name }) => name);
}

/** Compares the migrations of a folder with its checksums. Sorted by name. */
export async function checkSeals(folder: string = migrationsFolder()): Promise<SealedMigration[]> {
  const files = new Map((await readMigrationFiles(folder)).map(({ name, sha256 }) => [name, sha256]));
  const seals = await readChecksums(folder);
  const names = [...new Set([...files.keys(), ...seals.keys()])].sort();
  return names.map((name) => ({ name, state: sealState(files.get(name), seals.get(name)) }));
}

function sealState(checksum: string | undefined, seal: string | undefined): SealedMigration['state'] {
  if (seal === undefined) {
    return 'unsealed';
  }
  if (checksum === undefined) {
    return 'missing';
  }
  return checksum === seal ? 'sealed' : 'edited';
}

async function readChecksums(folder: string): Promise<Map<string, string>> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(checksumsPath(folder), 'utf8'))));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return new Map();
    }
    throw error;
  }
}

function checksumsPath(folder: string): string {
  return join(folder, 'checksums.json');
}
