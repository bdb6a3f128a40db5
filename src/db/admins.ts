import { sql } from 'slonik';
import { z } from 'zod';
import { adminIdentitySchema, adminSchema } from '../contract/admins.ts';
import type { Role } from '../contract/vocabulary.ts';
import { isoTimestamp } from './json.ts';
import type { Database } from './pool.ts';

/** The constraint that keeps an e-mail to one admin. */
export const adminEmailConstraint = 'admins_email_key';

export type Admin = z.infer<typeof adminSchema>;
export type AdminIdentity = z.infer<typeof adminIdentitySchema>;

/** The admins are checked by whoever answers with them, as every answer is. */
const adminPage = z.object({ admins: z.custom<Admin[]>(), total: z.int() });
const credentials = adminIdentitySchema.extend({ password_hash: z.string() });
const adminId = z.object({ id: z.string() });
const adminCount = z.object({ count: z.int() });
const keptAdmin = z.object({ kept: z.boolean() });

const adminColumns = sql.fragment`
  id, email, username, role, is_active, ${isoTimestamp(sql.fragment`created_at`)} as created_at
`;

/** A page of admins, the oldest first, and how many there are in all (contract 4.8). */
export async function selectAdminPage(
  db: Database,
  offset: number,
  limit: number,
): Promise<{ admins: Admin[]; total: number }> {
  return await db.one(sql.type(adminPage)`
    select
      (select count(*) from admins) as total,
      (
        select coalesce(json_agg(page), '[]') from (
          select ${adminColumns} from admins
          order by admins.created_at, id
          offset ${offset}::bigint limit ${limit}::integer
        ) as page
      ) as admins
  `);
}

/** The admin of that id, or null; locked until the transaction ends, so that what is decided on it stays so. */
export async function lockAdmin(tx: Database, id: string): Promise<Admin | null> {
  return await tx.maybeOne(sql.type(adminSchema)`
    select ${adminColumns} from admins where id = ${id} for update
  `);
}

/** What a sign-in checks, or null where no active admin has that e-mail. */
export async function selectCredentials(
  db: Database,
  email: string,
): Promise<(AdminIdentity & { password_hash: string }) | null> {
  return await db.maybeOne(sql.type(credentials)`
    select id, email, username, role, password_hash from admins where email = ${email} and is_active = 1
  `);
}

/** How many superadmins may sign in. */
export async function countActiveSuperadmins(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(adminCount)`
    select count(*) from admins where role = 'superadmin' and is_active = 1
  `);
}

/** Whether there is no admin at all. */
export async function hasNoAdmin(db: Database): Promise<boolean> {
  return !(await db.exists(sql.unsafe`select 1 from admins`));
}

/**
 * Inserts an active admin that cannot sign in yet: its password is set next. Returns false when the e-mail is
 * taken; waits where another transaction is about to take it.
 */
export async function insertAdmin(tx: Database, admin: AdminIdentity): Promise<boolean> {
  const { id, email, username, role } = admin;
  const inserted = await tx.maybeOneFirst(sql.type(adminId)`
    insert into admins (id, email, otp_email, username, role, password_hash)
    values (${id}, ${email}, ${email}, ${username}, ${role}, '')
    on conflict (email) do nothing
    returning id
  `);
  return inserted !== null;
}

export interface AdminChanges {
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly role?: Role | undefined;
  readonly password_hash?: string | undefined;
}

/** Changes the given fields of an admin, where there is one of that id. */
export async function updateAdminFields(db: Database, id: string, changes: AdminChanges): Promise<void> {
  const { email = null, username = null, role = null, password_hash = null } = changes;
  // The address for one-time codes follows the e-mail for as long as the two are the same.
  await db.query(sql.unsafe`
    update admins set
      email = coalesce(${email}, email),
      otp_email = case when otp_email = email then coalesce(${email}, email) else otp_email end,
      username = coalesce(${username}, username),
      role = coalesce(${role}, role),
      password_hash = coalesce(${password_hash}, password_hash),
      updated_at = now()
    where id = ${id}
  `);
}

/**
 * Deletes an admin, unless its e-mail is the one that is kept.
 *
 * @returns whether it was kept for that reason
 */
export async function deleteAdminUnless(
  db: Database,
  id: string,
  keptEmail: string | null,
): Promise<boolean> {
  const kept = await db.maybeOneFirst(sql.type(keptAdmin)`
    with target as (
      select id, coalesce(email = ${keptEmail}, false) as kept from admins where id = ${id}
    ), gone as (
      delete from admins using target where admins.id = target.id and not target.kept
    )
    select kept from target
  `);
  return kept === true;
}

/** The ids of the active superadmins, locked until the transaction ends so that two cannot remove the last. */
export async function lockActiveSuperadmins(tx: Database): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(adminId)`
    select id from admins where role = 'superadmin' and is_active = 1 order by id for update
  `);
}

/** Sets whether an admin may sign in, where there is one of that id. Its sessions end with its activity. */
export async function updateAdminActivity(db: Database, id: string, isActive: 0 | 1): Promise<void> {
  await db.query(sql.unsafe`update admins set is_active = ${isActive}, updated_at = now() where id = ${id}`);
}
