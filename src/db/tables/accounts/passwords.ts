import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { adminIdentitySchema } from '../../../contract/schemas/admins.ts';
import type { Database } from '../../connection/database.ts';
import { affectsRow, textRow } from '../statements.ts';
import { isEmail } from './emails.ts';

const credentials = adminIdentitySchema.extend({ password_hash: z.string() });

/** An account, and the hash of its password. */
export type Credentials = z.infer<typeof credentials>;

const signInCheck = z.object({ account: credentials.nullable(), cost: z.string().nullable() });

/** Selects the active admin with an e-mail. If two have it in different forms, that with the given one. */
const activeAdminWith = (email: string): FragmentSqlToken => sql.fragment`
  select id, email, username, role, password_hash
  from admins
  where ${isEmail(email)} and is_active = 1
  order by email = ${email} desc
  limit 1
`;

/** Returns what a sign-in checks, or null if no active admin has the e-mail. */
export async function selectCredentials(db: Database, email: string) {
  return await db.maybeOne(sql.type(credentials)`${activeAdminWith(email)}`);
}

/**
 * Returns what a sign-in checks of an active admin with the id, or null. Keeps it from being changed until the transaction
 * ends.
 */
export async function lockCredentials(tx: Database, id: string) {
  return await tx.maybeOne(sql.type(credentials)`
    select id, email, username, role, password_hash from admins where id = ${id} and is_active = 1 for share
  `);
}

/**
 * Returns the active admin with the e-mail, or null, and the highest cost of the plain bcrypt hashes of another system, or 0.
 * Plain hashes have their own index: each sign-in asks for their highest cost.
 */
export async function selectSignInCheck(db: Database, email: string) {
  const { account, cost } = await db.one(sql.type(signInCheck)`
    select
      (
        select row_to_json(account)
        from (${activeAdminWith(email)}) as account
      ) as account,
      (select max(substr(password_hash, 5, 2)) from admins where starts_with(password_hash, chr(36) || '2')) as cost
  `);
  return { found: account, importedCost: /^\d\d$/.test(cost ?? '') ? Number(cost) : 0 };
}

/** Replaces the hash of an unchanged password. The sessions of the admin go on. Returns false if the hash has changed. */
export async function replacePasswordHash(
  db: Database,
  { id, password_hash: old }: { readonly id: string; readonly password_hash: string },
  hash: string,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query(sql.unsafe`select set_config('backoffice.upgraded_hash', ${hash}, true)`);
    return await affectsRow(tx)`
      update admins set
        generated_password_hash = case when generated_password_hash = password_hash then ${hash} end,
        password_hash = ${hash}
      where id = ${id} and password_hash = ${old}
  `;
  });
}

/** Records that the service generated the password that the admin has. */
export async function markPasswordGenerated(db: Database, id: string): Promise<void> {
  await db.query(sql.unsafe`update admins set generated_password_hash = password_hash where id = ${id}`);
}

/** Returns the e-mails of the active admins that still have the password that the service generated. */
export async function selectGeneratedPasswords(db: Database): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(textRow)`
    select email from admins where generated_password_hash = password_hash and is_active = 1 order by email
  `);
}

/** Reports whether an admin still has the password that the service generated. */
export async function hasGeneratedPassword(db: Database, id: string): Promise<boolean> {
  return await db.exists(sql.unsafe`
    select 1 from admins where id = ${id} and generated_password_hash = password_hash
  `);
}

/** Inserts a link that sets a new password, and works for some minutes. */
export async function insertPasswordReset(tx: Database, adminId: string, tokenHash: Buffer, minutes: number) {
  await tx.query(sql.unsafe`
    insert into password_resets (admin_id, token_hash, expires_at)
    values (${adminId}, ${sql.binary(tokenHash)}, now() + make_interval(mins => ${minutes}))
  `);
}

const account = z.object({ id: z.string(), email: z.string() });

/** Returns the account of the link with that token, or null if the link is too old or the account is not active. */
export async function selectResetAccount(db: Database, tokenHash: Buffer) {
  return await db.maybeOne(sql.type(account)`
    select admins.id, email
    from password_resets join admins on admins.id = admin_id and is_active = 1
    where token_hash = ${sql.binary(tokenHash)} and expires_at > now()
  `);
}

/**
 * Deletes the link with that token. Returns false if another transaction was first. Lock the account before: its changes
 * delete its links, so a transaction that had locked the link first could deadlock with them.
 */
export async function takePasswordReset(tx: Database, tokenHash: Buffer): Promise<boolean> {
  return await affectsRow(tx)`
    delete from password_resets where token_hash = ${sql.binary(tokenHash)} and expires_at > now()
  `;
}
