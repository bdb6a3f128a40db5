import { sql } from 'slonik';
import { z } from 'zod';
import { roleSchema } from '../../../contract/operation.ts';
import { tokenSchema } from '../../../contract/operations/tokens.ts';
import { adminIdentitySchema } from '../../../contract/schemas/admins.ts';
import { type Role, roles, type TokenScope } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { searchShort } from '../../lists/search.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow, countRow, textRow } from '../statements.ts';

/** An API token without its secret. */
export type ApiToken = z.infer<typeof tokenSchema>;

/** The list says nothing of a scope that is not limited. */
const tokenRow = tokenSchema.transform(
  ({ scope, ...token }): ApiToken => (scope === 'intake' ? { ...token, scope } : token),
);

const rolesByPower = sql.fragment`${sql.array([...roles], 'text')}`;

/** The role of a token `t`: its own, or that of its owner `a` if that is weaker. */
const effectiveRole = sql.fragment`
  case when t.owner_id is null or a.id is null then t.role
    else (${rolesByPower})[greatest(array_position(${rolesByPower}, t.role), array_position(${rolesByPower}, a.role))]
  end
`;

/** The columns of a token `t` whose owner is `a`. */
const tokenColumns = sql.fragment`
  t.id, t.name, ${effectiveRole} as role, t.read_only, t.scope, t.created_by,
  case when t.owner_id is not null then json_build_object('id', t.owner_id, 'email', a.email) end as owner,
  case
    when t.revoked_at is not null or (t.owner_id is not null and a.is_active is distinct from 1) then 'revoked'
    when t.expires_at <= now() then 'expired'
    else 'valid'
  end as state,
  ${isoTimestamp(sql.fragment`t.created_at`)} as created_at,
  ${isoTimestamp(sql.fragment`t.expires_at`)} as expires_at,
  ${isoTimestamp(sql.fragment`t.last_used_at`)} as last_used_at,
  ${isoTimestamp(sql.fragment`t.revoked_at`)} as revoked_at
`;

export interface NewApiToken {
  readonly name: string;
  readonly role: Role;
  readonly isReadOnly: boolean;
  readonly scope: TokenScope;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  readonly createdBy: string;
  readonly ownerId: string | null;
  /** The token that creates it. The new one expires no later. */
  readonly parentId: number | null;
  /** Null for a token that does not expire. */
  readonly days: number | null;
}

/** Inserts a token and returns it, or null if its owner has a token with this name that is not revoked. */
export async function insertApiToken(tx: Database, token: NewApiToken): Promise<ApiToken | null> {
  const { name, role, isReadOnly, scope, hash, createdBy, ownerId, parentId, days } = token;
  return await tx.maybeOne(sql.type(tokenRow)`
    with t as (
      insert into api_tokens (name, role, read_only, scope, token_hash, created_by, owner_id, parent_id, expires_at)
      values (
        ${name}, ${role}, ${isReadOnly}, ${scope}, ${sql.binary(hash)}, ${createdBy}, ${ownerId}, ${parentId},
        least(
          now() + make_interval(days => ${days}::integer),
          (select parent.expires_at from api_tokens as parent where parent.id = ${parentId})
        )
      )
      on conflict do nothing
      returning *
    )
    select ${tokenColumns} from t left join admins a on a.id = t.owner_id
  `);
}

/** Revokes an expired token of an owner, so that another can have its name. */
export async function freeExpiredName(tx: Database, ownerId: string | null, name: string): Promise<void> {
  await tx.query(sql.unsafe`
    update api_tokens set revoked_at = now()
    where owner_id is not distinct from ${ownerId} and name = ${name} and revoked_at is null and expires_at <= now()
  `);
}

/** Returns those of the names that tokens of an owner have. */
export async function selectTakenNames(tx: Database, ownerId: string, names: readonly string[]) {
  return await tx.anyFirst(sql.type(textRow)`
    select name from api_tokens
    where owner_id = ${ownerId} and revoked_at is null and name = any(${sql.array([...names], 'text')})
  `);
}

/**
 * Keeps an admin active until the transaction ends. Returns false if it is not. Call it first: a change of the admin locks
 * its row before its tokens.
 */
export async function keepOwner(tx: Database, adminId: string): Promise<boolean> {
  return await affectsRow(tx)`select from admins where id = ${adminId} and is_active = 1 for share`;
}

/** Keeps a token from being revoked until the transaction ends. Returns false if it is revoked already. */
export async function keepToken(tx: Database, id: number): Promise<boolean> {
  return await affectsRow(tx)`select from api_tokens where id = ${id} and revoked_at is null for share`;
}

/** Returns how many valid tokens an admin has. */
export async function countValidTokens(tx: Database, ownerId: string): Promise<number> {
  return await tx.oneFirst(sql.type(countRow)`
    select count(*) from api_tokens
    where owner_id = ${ownerId} and revoked_at is null and (expires_at is null or expires_at > now())
  `);
}

/** Whose tokens are listed: all, those of an admin, or a token without owner and those that it has created. */
export type TokensOf = 'all' | { readonly ownerId: string } | { readonly tokenId: number };

function areOf(whose: TokensOf) {
  if (whose === 'all') return sql.fragment`true`;
  return 'ownerId' in whose
    ? sql.fragment`t.owner_id = ${whose.ownerId}`
    : sql.fragment`(t.id = ${whose.tokenId} or t.parent_id = ${whose.tokenId})`;
}

/** Returns tokens, valid ones first, then newest first. */
export async function selectApiTokens(
  db: Database,
  whose: TokensOf,
  { q, limit }: { readonly q: string | undefined; readonly limit: number },
): Promise<readonly ApiToken[]> {
  const search = searchShort(q, [
    sql.fragment`t.name`,
    sql.fragment`t.role`,
    sql.fragment`coalesce(t.owner_id, '')`,
    sql.fragment`coalesce(a.email, '')`,
  ]);
  return await db.any(sql.type(tokenRow)`
    select * from (
      select ${tokenColumns} from api_tokens t left join admins a on a.id = t.owner_id
      where ${areOf(whose)} and ${search?.condition ?? sql.fragment`true`}
    ) as listed
    order by (state = 'valid') desc, id desc
    limit ${limit}
  `);
}

const liveToken = z.object({
  id: z.int(),
  name: z.string(),
  role: roleSchema,
  read_only: z.boolean(),
  scope: z.string(),
  did_more: z.boolean(),
  admin: adminIdentitySchema.extend({ created_at: z.string() }).nullable(),
  stale: z.boolean(),
});

/**
 * Returns the token with the hash and its owner, or null if there is none, it has expired or been revoked, or its owner is
 * not active. It is `stale` if `touchApiToken` should update its last use.
 */
export async function selectLiveApiToken(db: Database, hash: Buffer) {
  return await db.maybeOne(sql.type(liveToken)`
    select t.id, t.name, ${effectiveRole} as role, t.read_only, t.scope, t.did_more,
      coalesce(t.last_used_at < now() - interval '1 minute', true) as stale,
      case when a.id is not null then json_build_object(
        'id', a.id, 'email', a.email, 'username', a.username, 'role', ${effectiveRole},
        'created_at', ${isoTimestamp(sql.fragment`a.created_at`)}
      ) end as admin
    from api_tokens t
    left join admins a on a.id = t.owner_id
    where t.token_hash = ${sql.binary(hash)}
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())
      and (t.owner_id is null or a.is_active = 1)
  `);
}

/** Updates when a token was last used. If many requests arrive at once, only one writes. */
export async function touchApiToken(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`
    update api_tokens set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)
  `);
}

/** Notes that a token has done more than to send data in. */
export async function noteMore(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`update api_tokens set did_more = true where id = ${id} and not did_more`);
}

const tooPowerful = z.object({ id: z.int(), name: z.string() });

/** Returns the valid tokens that may do everything, and have been used only to send data in. */
export async function selectIntakeLikeTokens(db: Database) {
  return await db.any(sql.type(tooPowerful)`
    select t.id, t.name from api_tokens t left join admins a on a.id = t.owner_id
    where t.scope = 'all' and not t.read_only and not t.did_more and t.last_used_at is not null
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and (t.owner_id is null or a.is_active = 1)
    order by t.id
  `);
}

const lockedToken = z.object({
  id: z.int(),
  name: z.string(),
  role: roleSchema,
  owner_id: z.string().nullable(),
  parent_id: z.int().nullable(),
});

export type LockedToken = z.infer<typeof lockedToken>;

/** Locks a token that is not revoked until the transaction ends, and returns it, or null if there is none. */
export async function lockApiToken(tx: Database, id: number | null): Promise<LockedToken | null> {
  return await tx.maybeOne(sql.type(lockedToken)`
    select id, name, role, owner_id, parent_id from api_tokens where id = ${id} and revoked_at is null for update
  `);
}

/** Locks the tokens that others have created and that are not revoked, and returns them. */
export async function lockCreatedTokens(tx: Database, parentIds: readonly number[]) {
  return await tx.any(sql.type(lockedToken)`
    select id, name, role, owner_id, parent_id from api_tokens
    where parent_id = any(${sql.array([...parentIds], 'int8')}) and revoked_at is null
    order by id
    for update
  `);
}

/** Revokes tokens that are locked. */
export async function revokeApiTokens(tx: Database, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    update api_tokens set revoked_at = clock_timestamp() where id = any(${sql.array([...ids], 'int8')})
  `);
}
