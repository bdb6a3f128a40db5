import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../contract/vocabulary.ts';
import { type ApiToken, insertApiToken, selectLiveApiToken, touchApiToken } from '../db/api-tokens.ts';
import type { Database } from '../db/pool.ts';
import type { Actor } from './context.ts';

const prefix = 'bo_';

/** Only a hash is stored: no salt, because 32 random bytes cannot be guessed. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/**
 * Makes an API token for scripts.
 *
 * @param expiresAt - ISO 8601, or null for a token that does not expire
 * @returns the token's record and its secret, which is not kept anywhere
 */
export async function createApiToken(
  db: Database,
  token: { name: string; role: Role; createdBy: string; expiresAt: string | null },
): Promise<{ token: ApiToken; secret: string }> {
  const secret = prefix + randomBytes(32).toString('base64url');
  return { token: await insertApiToken(db, { ...token, hash: hashOf(secret) }), secret };
}

/** The actor of a bearer token, or null when it is not valid (any more). Its last use is noted once a minute. */
export async function authenticateApiToken(db: Database, secret: string): Promise<Actor | null> {
  if (!secret.startsWith(prefix)) return null;
  const token = await selectLiveApiToken(db, hashOf(secret));
  if (token === null) return null;
  if (token.stale) await touchApiToken(db, token.id);
  return { kind: 'token', role: token.role, door: 'http', name: `token:${token.name}`, admin: null };
}
