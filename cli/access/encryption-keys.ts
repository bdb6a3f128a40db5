import type { Config } from '../../src/config.ts';
import { findKeptSecret, keptSecret } from '../../src/db/embedded/secrets.ts';

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
  return withKept(encryptionKeys, await keptSecret(dataDirectory, keptName));
}

/** Returns the keys that exist, and creates none. */
export async function existingEncryptionKeys({
  encryptionKeys,
  databaseUrl,
  dataDirectory,
}: KeyConfig): Promise<readonly Buffer[]> {
  const kept = databaseUrl === undefined ? await findKeptSecret(dataDirectory, keptName) : undefined;
  return kept === undefined ? encryptionKeys : withKept(encryptionKeys, kept);
}

/** Adds the key of the data directory, unless the variable lists it too, as it does during a rotation. */
function withKept(keys: readonly Buffer[], text: string): readonly Buffer[] {
  const kept = Buffer.from(text, 'base64url');
  return keys.some((key) => key.equals(kept)) ? keys : [...keys, kept];
}
