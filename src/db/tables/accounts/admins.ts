import { sql } from 'slonik';
import { z } from 'zod';
import { type adminIdentitySchema, adminSchema } from '../../../contract/schemas/admins.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectsRow, countRow, textRow } from '../statements.ts';
import { isEmail } from './emails.ts';

/** The unique constraint on e-mail addresses. */
export const adminEmailConstraint = 'admins_email_key';

export type Admin = z.infer<typeof adminSchema>;
export type AdminIdentity = z.infer<typeof adminIdentitySchema>;

/** The fields of an admin that events and audit records contain. */
const adminFields = adminSchema.pick({ email: true, username: true, role: true, is_active: true });

const targetAdmin = adminFields.extend({ kept: z.boolean() });

const adminActivity = adminFields.pick({ email: true, is_active: true });

export const adminColumns = sql.fragment`
  id, email, username, role, is_active, ${isoTimestamp(sql.fragment`created_at`)} as created_at
`;

const adminFieldColumns = sql.fragment`email, username, role, is_active`;

/** Returns the admin with the id, or null, and locks it until the transaction ends. */
export async function lockAdmin(tx: Database, id: string): Promise<Admin | null> {
  return await tx.maybeOne(sql.type(adminSchema)`
    select ${adminColumns} from admins where id = ${id} for update
  `);
}

/** Returns the address for one-time codes of an admin, or null if there is none with the id. */
export async function selectOtpEmail(db: Database, id: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(textRow)`select otp_email from admins where id = ${id}`);
}

/** Reports whether there is no admin at all. */
export async function hasNoAdmin(db: Database): Promise<boolean> {
  return !(await db.exists(sql.unsafe`select 1 from admins`));
}

/**
 * Inserts an active admin without a password, which is set next. Returns false if the e-mail is taken, in any form. Waits if
 * another transaction is about to take it.
 */
export async function insertAdmin(tx: Database, admin: AdminIdentity): Promise<boolean> {
  const { id, email, username, role } = admin;
  return await affectsRow(tx)`
    insert into admins (id, email, otp_email, username, role, password_hash)
    select ${id}, ${email}, ${email}, ${username}, ${role}, ''
    where not exists (select from admins where ${isEmail(email)})
    on conflict (email) do nothing
  `;
}

/**
 * Makes other changes of e-mail addresses wait until this transaction ends. Otherwise two admins that take each other's
 * address would deadlock on the unique constraint.
 */
export async function lockAdminEmails(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('admin e-mails'))`);
}

/** Returns the e-mail of the admin with the id, or null. */
export async function selectEmail(db: Database, id: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(textRow)`select email from admins where id = ${id}`);
}

/** Reports whether an admin, other than the one with the id, has the e-mail. */
export async function hasEmail(db: Database, email: string | undefined, id = ''): Promise<boolean> {
  if (email === undefined) return false;
  return await db.exists(sql.unsafe`select from admins where ${isEmail(email)} and id <> ${id}`);
}

interface AdminChanges {
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly role?: Role | undefined;
  readonly password_hash?: string | undefined;
}

/** Updates the given fields of an admin. Returns the admin before the update, or null if there is none with the id. */
export async function updateAdminFields(db: Database, id: string, changes: AdminChanges) {
  const { email = null, username = null, role = null, password_hash = null } = changes;
  // The address for one-time codes follows the e-mail as long as both are the same.
  return await db.maybeOne(sql.type(adminFields)`
    with before as (select id, ${adminFieldColumns} from admins where id = ${id} for update)
    update admins set
      email = coalesce(${email}, before.email),
      otp_email = case when otp_email = before.email then coalesce(${email}, before.email) else otp_email end,
      username = coalesce(${username}, before.username),
      role = coalesce(${role}, before.role),
      password_hash = coalesce(${password_hash}, password_hash),
      updated_at = now()
    from before
    where admins.id = before.id
    returning before.email, before.username, before.role, before.is_active
  `);
}

/**
 * Deletes an admin, unless it has the e-mail to keep. Returns it and whether it was kept, or null without such an
 * admin.
 */
export async function deleteAdminUnless(db: Database, id: string, keptEmail: string | null) {
  return await db.maybeOne(sql.type(targetAdmin)`
    with target as (
      select id, ${adminFieldColumns}, coalesce(email = ${keptEmail}, false) as kept
      from admins where id = ${id}
      for update
    ), gone as (
      delete from admins using target where admins.id = target.id and not target.kept
    )
    select ${adminFieldColumns}, kept from target
  `);
}

/**
 * Sets whether an admin can sign in. Deactivating it ends its sessions. Returns the e-mail and the value before, or
 * null.
 */
export async function updateAdminActivity(db: Database, id: string, isActive: 0 | 1) {
  return await db.maybeOne(sql.type(adminActivity)`
    with before as (select id, email, is_active from admins where id = ${id} for update)
    update admins set is_active = ${isActive}, updated_at = now()
    from before where admins.id = before.id
    returning before.email, before.is_active
  `);
}

/** Returns how many admins of any role can sign in. */
export async function countActiveAdmins(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`select count(*) from admins where is_active = 1`);
}

/** Returns how many superadmins can sign in. */
export async function countActiveSuperadmins(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*) from admins where role = 'superadmin' and is_active = 1
  `);
}

/** Returns the ids of the active superadmins and locks them, so that two transactions cannot remove the last one. */
export async function lockActiveSuperadmins(tx: Database): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(textRow)`
    select id from admins where role = 'superadmin' and is_active = 1 order by id for update
  `);
}
