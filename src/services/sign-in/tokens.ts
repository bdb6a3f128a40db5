import { createHash, randomBytes } from 'node:crypto';
import type { invitationPath, resetPasswordPath } from '../../contract/pages.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  type ApiToken,
  freeExpiredName,
  insertApiToken,
  type LockedToken,
  lockCreatedTokens,
  type NewApiToken,
  revokeApiTokens,
  selectLiveApiToken,
  touchApiToken,
} from '../../db/tables/accounts/api-tokens.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import type { Log } from '../call/observer.ts';

/** Returns a new token that only its receiver knows, and the hash of it to store. */
export function newToken(prefix = ''): { readonly token: string; readonly tokenHash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

/** Returns the hash to store. It needs no salt, because 32 random bytes cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the path of a page with its token in the fragment, which reaches no proxy and no other site. */
export function linkPath(
  page: typeof invitationPath | typeof resetPasswordPath,
  fields: Readonly<Record<string, string>>,
): string {
  return `${page}#${new URLSearchParams(fields)}`;
}

const prefix = 'bo_';

/** Creates an API token. Returns it and its secret, which is not stored, or null if its owner has one with this name. */
export async function addApiToken(
  tx: Database,
  record: RecordChange,
  wanted: Omit<NewApiToken, 'hash'>,
): Promise<{ readonly token: ApiToken; readonly secret: string } | null> {
  await freeExpiredName(tx, wanted.ownerId, wanted.name);
  const { token: secret, tokenHash: hash } = newToken(prefix);
  const token = await insertApiToken(tx, { ...wanted, hash });
  if (token === null) return null;
  const { id, name, role, expires_at } = token;
  const owner = wanted.ownerId === null ? {} : { owner_id: wanted.ownerId };
  const readOnly = wanted.isReadOnly ? ({ read_only: true } as const) : {};
  const scope = wanted.scope === 'intake' ? ({ scope: 'intake' } as const) : {};
  record({ event: 'token.created', id, after: { name, role, expires_at, ...owner, ...readOnly, ...scope } });
  return { token, secret };
}

/** Revokes a token that the transaction has locked, and the tokens that it has created. */
export async function endApiToken(tx: Database, record: RecordChange, token: LockedToken): Promise<void> {
  let level: readonly LockedToken[] = [token];
  while (level.length > 0) {
    const ids = level.map(({ id }) => id);
    await revokeApiTokens(tx, ids);
    for (const { id, name, role } of level) record({ event: 'token.revoked', id, before: { name, role } });
    // In a statement of its own: a token is created under the lock of its parent, which this holds, so it sees the row.
    level = await lockCreatedTokens(tx, ids);
  }
}

/**
 * Returns the actor of a bearer token, or null if the token is not valid. Records the last use once a minute, and does not
 * wait for that: a token reads while the database accepts no changes.
 */
export async function authenticateApiToken(db: Database, secret: string, log: Log): Promise<Actor | null> {
  if (!secret.startsWith(prefix)) return null;
  const found = await selectLiveApiToken(db, hashToken(secret));
  if (found === null) return null;
  if (found.stale) {
    touchApiToken(db, found.id).catch((err: unknown) => log.warn({ err }, 'last use of a token not updated'));
  }
  const { id, name, role, admin, read_only: isReadOnly, did_more: didMore } = found;
  const token = { id, isReadOnly, isIntake: found.scope === 'intake', didMore };
  const label = `token:${name}`;
  if (admin === null) return { kind: 'token', id: String(id), role, door: 'http', name: label, admin, token };
  // It acts as its owner, so that what it does belongs to the person.
  return { kind: 'admin', id: admin.id, role, door: 'http', name: `${admin.email} (${label})`, admin, token };
}
