import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedError } from '../../shared/expected-error.ts';
import { migrationsFolder, readMigrationFiles } from './files.ts';

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
