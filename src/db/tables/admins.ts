import { sql } from 'slonik';
import { z } from 'zod';
import { adminIdentitySchema, adminSchema } from '../../contract/schemas/admins.ts';
import type { Role } from '../../contract/vocabulary.ts';
import type { PlainPool } from '../connection/plain-pool.ts';
import type { Database } from '../connection/pool.ts';
import { isoTimestamp } from '../timestamps.ts';

/** The constraint that keeps an e-mail to one admin. */
export const adminEmailConstraint = 'admins_email_key';

export type Admin = z.infer<typeof adminSchema>;
export type AdminIdentity = z.infer<typeof adminIdentitySchema>;

const adminPage = z.object({ admins: z.string(), total: z.int() });
const credentials = adminIdentitySchema.extend({ password_hash: z.string() });
const adminId = z.object({ id: z.string() });
const adminCount = z.object({ count: z.int() });
/** What the records tell of an admin. */
const adminFields = adminSchema.pick({ email: true, username: true, role: true, is_active: true });
const targetAdmin = adminFields.extend({ kept: z.boolean() });

const adminActivity = adminFields.pick({ is_active: true });

export type AdminFields = z.infer<typeof adminFields>;

const adminColumns = sql.fragment`
  id, email, username, role, is_active, ${isoTimestamp(sql.fragment`created_at`)} as created_at
`;

const adminFieldColumns = sql.fragment`email, username, role, is_active`;

const adminPageQuery = {
  name: 'admin_page',
  text: `
    select
      (select count(*)::integer from admins) as total,
      (
        select coalesce(json_agg(page), '[]')::text from (
          select ${adminColumns.sql} from admins
          order by admins.created_at, id
          offset $1::bigint limit $2::integer
        ) as page
      ) as admins
  `,
};

/**
 * A page of admins as the text of a JSON array, the oldest first, and how many there are in all (contract 4.8). On `pg`
 * straight, like the query of each session: slonik would cost about as much again as all the rest of it.
 */
export async function selectAdminPage(
  pool: PlainPool,
  offset: number,
  limit: number,
): Promise<z.infer<typeof adminPage>> {
  const { rows } = await pool.query({ ...adminPageQuery, values: [offset, limit] });
  return adminPage.parse(rows[0]);
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

/**
 * Makes other changes of e-mails wait until this transaction ends. Two admins that take each other's would otherwise wait
 * crosswise for the constraint to tell whose it is.
 */
export async function lockAdminEmails(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('admin e-mails'))`);
}

/** Whether there is an admin of that id. */
export async function hasAdmin(db: Database, id: string): Promise<boolean> {
  return await db.exists(sql.unsafe`select from admins where id = ${id}`);
}

/** Whether an admin has that e-mail. */
export async function hasEmail(db: Database, email: string | undefined): Promise<boolean> {
  return email !== undefined && (await db.exists(sql.unsafe`select from admins where email = ${email}`));
}

export interface AdminChanges {
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly role?: Role | undefined;
  readonly password_hash?: string | undefined;
}

/** Changes the given fields of an admin. Returns the admin before, or null where there is none of that id. */
export async function updateAdminFields(
  db: Database,
  id: string,
  changes: AdminChanges,
): Promise<AdminFields | null> {
  const { email = null, username = null, role = null, password_hash = null } = changes;
  // The address for one-time codes follows the e-mail for as long as the two are the same.
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
 * Deletes an admin, unless its e-mail is the one that is kept.
 *
 * @returns the admin, and whether it was kept for that reason; null where there is none of that id
 */
export async function deleteAdminUnless(
  db: Database,
  id: string,
  keptEmail: string | null,
): Promise<z.infer<typeof targetAdmin> | null> {
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

/** The ids of the active superadmins, locked until the transaction ends so that two cannot remove the last. */
export async function lockActiveSuperadmins(tx: Database): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(adminId)`
    select id from admins where role = 'superadmin' and is_active = 1 order by id for update
  `);
}

/**
 * Sets whether an admin may sign in; its sessions end with its activity.
 *
 * @returns what it was before; null where there is no admin of that id
 */
export async function updateAdminActivity(db: Database, id: string, isActive: 0 | 1): Promise<number | null> {
  return await db.maybeOneFirst(sql.type(adminActivity)`
    with before as (select id, is_active from admins where id = ${id} for update)
    update admins set is_active = ${isActive}, updated_at = now()
    from before where admins.id = before.id
    returning before.is_active
  `);
}
