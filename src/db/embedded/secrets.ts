import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../files/fill-file.ts';
import { locked } from '../../files/locked.ts';
import { errorCode } from '../../shared/errors.ts';
import { withoutByteOrderMark } from '../../shared/text.ts';
import type { Cluster } from './cluster.ts';
import type { OsUser } from './programs.ts';

/** The role that owns the schema. */
export const ownerRole = 'backoffice_owner';
/** The role that the service and most commands run as. */
export const runtimeRole = 'backoffice_runtime';
/** The files with the passwords of the roles. */
export const passwordFiles = { [ownerRole]: 'owner-password', [runtimeRole]: 'runtime-password' } as const;

/** Reads the password of a role, and creates it if it does not exist. */
export const rolePassword = ({ home, user }: Cluster, role: keyof typeof passwordFiles) =>
  keptSecret(home, passwordFiles[role], user);

/**
 * Returns a secret of 32 random bytes as base64url text, which is kept in a file of a directory. It is created if there is
 * none.
 *
 * @param owner - who the file belongs to, if not to the current user
 */
export async function keptSecret(directory: string, name: string, owner?: OsUser): Promise<string> {
  const file = join(directory, name);
  const kept = await readIfThere(file);
  if (kept !== undefined) return kept;
  // If two processes start for the first time together, one writes the secret and both read it.
  return await locked(file, async () => {
    const written = await readIfThere(file);
    if (written !== undefined) return written;
    // `node:crypto` would take 5 ms of the start of most commands.
    const secret = crypto.getRandomValues(Buffer.alloc(32)).toString('base64url');
    await writeWhole(file, secret, { owner });
    return secret;
  });
}

/** Returns the secret that `keptSecret` keeps, or undefined if there is none yet. */
export const findKeptSecret = (directory: string, name: string) => readIfThere(join(directory, name));

/** Returns the text of a file, without the byte order mark of an editor, or undefined if there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  return text === undefined ? undefined : withoutByteOrderMark(text);
}
