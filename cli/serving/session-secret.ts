import { keptSecret } from '../../src/db/embedded/secrets.ts';

/**
 * Returns the secret that signs the session cookies if SESSION_SECRET is not set. It is created once and kept in the data
 * directory, so that sessions survive a restart.
 */
export async function sessionSecrets(dataDirectory: string): Promise<string[]> {
  return [await keptSecret(dataDirectory, 'session-secret')];
}
