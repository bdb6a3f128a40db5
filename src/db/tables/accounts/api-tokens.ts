import { sql } from 'slonik';
import { z } from 'zod';
import { roleSchema } from '../../../contract/roles.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/pool.ts';
import { isoTimestamp } from '../../timestamps.ts';

const apiToken = z.object({
  id: z.int(),
  name: z.string(),
  role: roleSchema,
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

/** An API token without its secret. Times are ISO 8601 UTC. */
export type ApiToken = z.infer<typeof apiToken>;

const tokenColumns = sql.fragment`
  id, name, role, created_by,
  ${isoTimestamp(sql.fragment`created_at`)} as created_at,
  ${isoTimestamp(sql.fragment`expires_at`)} as expires_at,
  ${isoTimestamp(sql.fragment`last_used_at`)} as last_used_at,
  ${isoTimestamp(sql.fragment`revoked_at`)} as revoked_at
`;

export interface NewApiToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  readonly createdBy: string;
  /** ISO 8601, or null for a token that does not expire. */
  readonly expiresAt: string | null;
}

/** Inserts a token and returns it. */
export async function insertApiToken(db: Database, token: NewApiToken): Promise<ApiToken> {
  return await db.one(sql.type(apiToken)`
    insert into api_tokens (name, role, token_hash, created_by, expires_at)
    values (
      ${token.name}, ${token.role}, ${sql.binary(token.hash)}, ${token.createdBy}, ${token.expiresAt}::timestamptz
    )
    returning ${tokenColumns}
  `);
}

/** Returns all tokens, newest first. */
export async function selectApiTokens(db: Database): Promise<readonly ApiToken[]> {
  return await db.any(sql.type(apiToken)`select ${tokenColumns} from api_tokens order by api_tokens.id desc`);
}

const liveToken = apiToken.pick({ id: true, name: true, role: true }).extend({
  stale: z.boolean(),
  freshSeconds: z.number(),
});

/**
 * Returns the token with the hash, or null if there is none, or it has expired or been revoked. It is `stale` if
 * `touchApiToken` should update its last use; `freshSeconds` are left until it is stale or has expired.
 */
export async function selectLiveApiToken(
  db: Database,
  hash: Buffer,
): Promise<z.infer<typeof liveToken> | null> {
  return await db.maybeOne(sql.type(liveToken)`
    select id, name, role, coalesce(last_used_at < now() - interval '1 minute', true) as stale,
      coalesce(
        extract(epoch from least(last_used_at + interval '1 minute', expires_at) - now()), 0
      )::float8 as "freshSeconds"
    from api_tokens
    where token_hash = ${sql.binary(hash)}
      and revoked_at is null
      and (expires_at is null or expires_at > now())
  `);
}

/** Updates when a token was last used. If many requests arrive at once, only one writes. */
export async function touchApiToken(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`
    update api_tokens set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)
  `);
}

const revocableToken = apiToken.pick({ name: true, role: true }).extend({ was_revoked: z.boolean() });

/** Revokes a token. A token that is already revoked stays as it is. Returns null if there is none with the id. */
export async function revokeApiTokenRow(
  db: Database,
  id: number,
): Promise<z.infer<typeof revocableToken> | null> {
  return await db.maybeOne(sql.type(revocableToken)`
    with before as (select id, revoked_at from api_tokens where id = ${id} for update)
    update api_tokens set revoked_at = coalesce(before.revoked_at, now())
    from before where api_tokens.id = before.id
    returning name, role, before.revoked_at is not null as was_revoked
  `);
}
