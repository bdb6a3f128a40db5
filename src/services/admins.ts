import { toUsername } from '../contract/admin-fields.ts';
import { adminErrors } from '../contract/admins.ts';
import { BackofficeError } from '../contract/errors.ts';
import type { OutputOf, ParsedInputOf } from '../contract/index.ts';
import { toRole } from '../contract/roles.ts';
import {
  type AdminChanges,
  adminEmailConstraint,
  deleteAdminUnless,
  insertAdmin,
  selectAdminPage,
  updateAdminActivity,
  updateAdminFields,
} from '../db/admins.ts';
import { violates } from '../db/failures.ts';
import { keepSession } from '../db/sessions.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';
import { checkStrictChange, checkStrictCreate } from './strict-roles.ts';

export async function listAdmins(
  { db }: Context,
  { page, limit }: ParsedInputOf<'admins.list'>,
): Promise<OutputOf<'admins.list'>> {
  const { admins, total } = await selectAdminPage(db, (page - 1) * limit, limit);
  return { admins, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}

export async function createAdmin(
  { db, actor, passwords, strictRoles }: Pick<Context, 'db' | 'actor' | 'passwords' | 'strictRoles'>,
  { email, password, username, role }: ParsedInputOf<'admins.create'>,
): Promise<OutputOf<'admins.create'>> {
  const admin = {
    id: newId('admin', 6),
    email,
    username: username ?? toUsername(email.split('@', 1)[0] ?? ''),
    role: toRole(role),
  };
  if (strictRoles) checkStrictCreate(actor.role, admin.role);
  // The row first: whoever loses the race for an e-mail learns it before the costly hash, and hashes nothing.
  const created = await passwords.inTurn(() =>
    db.transaction(async (tx) => {
      if (!(await insertAdmin(tx, admin))) return false;
      await updateAdminFields(tx, admin.id, { password_hash: await passwords.hash(password) });
      return true;
    }),
  );
  if (!created) throw new BackofficeError(adminErrors.emailTaken);
  return { success: true, admin };
}

export async function updateAdmin(
  { db, actor, passwords, strictRoles }: Context,
  { id, password, ...fields }: ParsedInputOf<'admins.update'>,
): Promise<OutputOf<'admins.update'>> {
  const changes: AdminChanges = {
    ...fields,
    ...(password === undefined ? {} : { password_hash: await passwords.hash(password) }),
  };
  try {
    const refusal = await db.transaction(async (tx) => {
      const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, changes.role) : undefined;
      if (refused !== undefined) return refused;
      if (actor.sessionKey !== undefined && actor.admin?.id === id) await keepSession(tx, actor.sessionKey);
      await updateAdminFields(tx, id, changes);
    });
    if (refusal !== undefined) throw new BackofficeError(refusal);
  } catch (error) {
    throw violates(error, adminEmailConstraint) ? new BackofficeError(adminErrors.emailTaken) : error;
  }
  return { success: true };
}

export async function deleteAdmin(
  { db, actor, strictRoles }: Context,
  { id }: ParsedInputOf<'admins.delete'>,
): Promise<OutputOf<'admins.delete'>> {
  const refusal = await db.transaction(async (tx) => {
    const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, null) : undefined;
    if (refused !== undefined) return refused;
    return (await deleteAdminUnless(tx, id, actor.admin?.email ?? null)) ? adminErrors.ownAccount : undefined;
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}

export async function changeAdminActivity(
  { db, actor, strictRoles }: Context,
  { id, is_active }: ParsedInputOf<'admins.changeActivity'>,
): Promise<OutputOf<'admins.changeActivity'>> {
  if (is_active === 0 && actor.admin?.id === id) throw new BackofficeError(adminErrors.ownActivity);
  const refusal = await db.transaction(async (tx) => {
    const role = is_active === 1 ? undefined : null;
    const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, role) : undefined;
    if (refused !== undefined) return refused;
    await updateAdminActivity(tx, id, is_active);
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}
