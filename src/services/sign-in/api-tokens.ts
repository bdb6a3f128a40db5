import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../contract/vocabulary.ts';
import type { Database, Pool } from '../../db/connection/pool.ts';
import {
  type ApiToken,
  insertApiToken,
  revokeApiTokenRow,
  selectLiveApiToken,
  touchApiToken,
} from '../../db/tables/accounts/api-tokens.ts';
import { type Actor, localOperator } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { AuthorityMemo } from './authority-memo.ts';

const prefix = 'bo_';

/** The audit entries of token changes. They are not operations, because only the local command line offers them. */
const tokenCreation = { id: 'tokens.create', changes: ['token.created'] } as const;
const tokenRevocation = { id: 'tokens.revoke', changes: ['token.revoked'] } as const;

/** Returns the hash to store. It needs no salt, because 32 random bytes cannot be guessed. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/**
 * Creates an API token for scripts.
 *
 * @param expiresAt - ISO 8601, or null for a token that does not expire
 * @returns the record of the token, and its secret, which is not stored
 */
export async function createApiToken(
  db: Pool,
  token: { name: string; role: Role; createdBy: string; expiresAt: string | null },
): Promise<{ token: ApiToken; secret: string }> {
  const secret = prefix + randomBytes(32).toString('base64url');
  const change = changesOf(db, localOperator(token.createdBy), tokenCreation);
  return await change(async (tx, touch) => {
    const created = await insertApiToken(tx, { ...token, hash: hashOf(secret) });
    const { id, name, role, expires_at } = created;
    touch({ event: 'token.created', id, after: { name, role, expires_at } });
    return { token: created, secret };
  });
}

/**
 * Revokes a token. Does nothing if it is already revoked.
 *
 * @param revokedBy - the name of the local operator
 * @returns false if no token has that id
 */
export async function revokeApiToken(db: Pool, id: number, revokedBy: string): Promise<boolean> {
  return await changesOf(
    db,
    localOperator(revokedBy),
    tokenRevocation,
  )(async (tx, touch) => {
    const token = await revokeApiTokenRow(tx, id);
    if (token === null) return false;
    const { name, role, was_revoked } = token;
    if (!was_revoked) touch({ event: 'token.revoked', id, before: { name, role } });
    return true;
  });
}

/** Returns the actor of a bearer token, or null if the token is not valid. Records the last use once a minute. */
export async function authenticateApiToken(
  db: Database,
  memo: AuthorityMemo,
  secret: string,
): Promise<Actor | null> {
  if (!secret.startsWith(prefix)) return null;
  const hash = hashOf(secret);
  const token = await memo.find(`token ${hash.toString('base64')}`, async () => {
    const found = await selectLiveApiToken(db, hash);
    if (found?.stale) await touchApiToken(db, found.id);
    return found;
  });
  if (token === null) return null;
  return {
    kind: 'token',
    id: String(token.id),
    role: token.role,
    door: 'http',
    name: `token:${token.name}`,
    admin: null,
  };
}
