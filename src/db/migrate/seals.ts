import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../shared/error-code.ts';
import { migrationsFolder, readMigrationFiles } from './files.ts';

/** A migration compared with `migrations/checksums.json`. */
export interface SealedMigration {
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
