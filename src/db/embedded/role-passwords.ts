import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import { findKeptSecret, keptSecret } from './kept-secret.ts';

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

const defaultIterations = 4096;

/**
 * Returns what Postgres stores of a password. Sent instead of the password, it keeps the password out of the server's log.
 *
 * @param password - ASCII, which needs no normalization
 */
export function scramVerifier(
  password: string,
  salt = randomBytes(16),
  iterations = defaultIterations,
): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

/** Reports whether Postgres has stored this password. */
export function hasPassword(stored: string | null, password: string): boolean {
  const { iterations, salt } =
    /^SCRAM-SHA-256\$(?<iterations>\d+):(?<salt>[^$]+)\$/.exec(stored ?? '')?.groups ?? {};
  if (iterations === undefined || salt === undefined) return false;
  return stored === scramVerifier(password, Buffer.from(salt, 'base64'), Number(iterations));
}
