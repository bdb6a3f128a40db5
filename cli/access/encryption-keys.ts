import type { Config } from '../../src/config.ts';
import { findKeptSecret, keptSecret } from '../../src/db/embedded/kept-secret.ts';

const keptName = 'encryption-key';

type KeyConfig = Pick<Config, 'encryptionKeys' | 'databaseUrl' | 'dataDirectory'>;

/**
 * Returns the keys that encrypt secrets, newest first: those of BACKOFFICE_ENCRYPTION_KEY, and with the embedded database
 * the one in the data directory, which is created if there is none. That one is always last, so that a command without
 * the variable uses a key that the server knows too.
 */
export async function encryptionKeysOf({
  encryptionKeys,
  databaseUrl,
  dataDirectory,
}: KeyConfig): Promise<readonly Buffer[]> {
  if (databaseUrl !== undefined) return encryptionKeys;
  return [...encryptionKeys, toKey(await keptSecret(dataDirectory, keptName))];
}

/** Returns the keys that exist, and creates none. */
export async function existingEncryptionKeys({
  encryptionKeys,
  databaseUrl,
  dataDirectory,
}: KeyConfig): Promise<readonly Buffer[]> {
  const kept = databaseUrl === undefined ? await findKeptSecret(dataDirectory, keptName) : undefined;
  return kept === undefined ? encryptionKeys : [...encryptionKeys, toKey(kept)];
}

function toKey(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
