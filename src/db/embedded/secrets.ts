import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { OsUser } from './programs.ts';

/** The roles of the embedded server besides its superuser, each with the file that has its password. */
const passwordFiles = {
  backoffice_owner: 'owner-password',
  backoffice_runtime: 'runtime-password',
} as const;

/** Owns the schema. */
export const ownerRole = 'backoffice_owner';
/** What the service and most commands run as. */
export const runtimeRole = 'backoffice_runtime';

export type RolePasswords = Readonly<Record<keyof typeof passwordFiles, string>>;

/** Reads the passwords of the roles, and creates those that do not exist. */
export async function readRolePasswords({ home, user }: Cluster): Promise<RolePasswords> {
  return {
    backoffice_owner: await keptSecret(home, passwordFiles.backoffice_owner, user),
    backoffice_runtime: await keptSecret(home, passwordFiles.backoffice_runtime, user),
  };
}

/** Reads the password of the runtime role, or returns undefined if there is none yet. */
export async function findRuntimePassword(home: string): Promise<string | undefined> {
  return await findKeptSecret(home, passwordFiles.backoffice_runtime);
}

const secretBytes = 32;

/**
 * Returns a secret of 32 random bytes as base64url text, which is kept in a file of a directory. It is created if there is
 * none.
 *
 * @param owner - who the file belongs to, if not to the current user
 */
export async function keptSecret(directory: string, name: string, owner?: OsUser): Promise<string> {
  const file = join(directory, name);
  const kept = await findKeptSecret(directory, name);
  if (kept !== undefined) return kept;
  await mkdir(directory, { recursive: true });
  const draft = `${file}.${crypto.randomUUID()}`;
  await writeDurably(draft, randomBytes(secretBytes).toString('base64url'));
  if (owner) await chown(draft, owner.uid, owner.gid);
  // Linking is atomic: if two processes start for the first time together, one writes the secret and both read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await flush(directory);
  return await readFile(file, 'utf8');
}

/** Returns the secret that `keptSecret` keeps, or undefined if there is none yet. */
export async function findKeptSecret(directory: string, name: string): Promise<string | undefined> {
  return await readFile(join(directory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Writes a file that a power failure does not take away: what is encrypted with the secret would be lost. */
async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function flush(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}
