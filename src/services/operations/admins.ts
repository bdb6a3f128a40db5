import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { toRole } from '../../contract/roles.ts';
import { toUsername } from '../../contract/schemas/admins.ts';
import { isUniqueViolation } from '../../db/connection/database-errors.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  adminEmailConstraint,
  deleteAdminUnless,
  hasAdmin,
  hasEmail,
  insertAdmin,
  lockAdminEmails,
  selectAdminPage,
  updateAdminActivity,
  updateAdminFields,
} from '../../db/tables/admins.ts';
import { keepSession } from '../../db/tables/sessions.ts';
import type { Context } from '../call/context.ts';
import { newId } from '../ids.ts';
import { checkStrictChange, checkStrictCreate } from '../sign-in/strict-roles.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';

export async function listAdmins(
  { plainPool }: Context,
  { page, limit }: ParsedInputOf<'admins.list'>,
): Promise<StreamedJson> {
  const { admins, total } = await selectAdminPage(plainPool, (page - 1) * limit, limit);
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  return new StreamedJson(async (write) => {
    await write(`{"admins":${admins},"pagination":${JSON.stringify(pagination)}}`);
  });
}

export async function createAdmin(
  context: Pick<Context, 'change' | 'actor' | 'passwords' | 'strictRoles' | 'signal'>,
  { email, password, username, role }: ParsedInputOf<'admins.create'>,
): Promise<OutputOf<'admins.create'>> {
  const { change, actor, passwords, strictRoles, signal } = context;
  const admin = {
    id: newId('admin', 6),
    email,
    username: username ?? toUsername(email.split('@', 1)[0] ?? ''),
    role: toRole(role),
  };
  if (strictRoles) checkStrictCreate(actor.role, admin.role);
  // The row first: whoever loses the race for an e-mail learns it before the costly hash, and hashes nothing.
  const create = () =>
    change(async (tx, touch) => {
      if (!(await insertAdmin(tx, admin))) return false;
      await updateAdminFields(tx, admin.id, { password_hash: await passwords.hash(password) });
      const { id, ...fields } = admin;
      touch({ event: 'admin.created', id, after: { ...fields, is_active: 1 } });
      return true;
    });
  const created = await passwords.limit(create, signal);
  if (!created) throw new BackofficeError(adminErrors.emailTaken);
  return { success: true, admin };
}

export async function updateAdmin(
  { db, change, actor, passwords, strictRoles }: Context,
  { id, password, ...fields }: ParsedInputOf<'admins.update'>,
): Promise<OutputOf<'admins.update'>> {
  // Before the costly hash, which would keep sign-ins waiting for nobody's sake.
  if (password !== undefined && !(await hasAdmin(db, id))) {
    const refusal = await refuseUnknown(db, fields.email);
    if (refusal !== undefined) throw new BackofficeError(refusal);
    return { success: true };
  }
  const secret = password === undefined ? {} : { password_hash: await passwords.hash(password) };
  try {
    const refusal = await change(async (tx, touch) => {
      if (fields.email !== undefined) await lockAdminEmails(tx);
      const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, fields.role) : undefined;
      if (refused !== undefined) return refused;
      if (actor.sessionKey !== undefined && actor.admin?.id === id) await keepSession(tx, actor.sessionKey);
      const before = await updateAdminFields(tx, id, { ...fields, ...secret });
      if (before === null) return await refuseUnknown(tx, fields.email);
      const told = password === undefined ? {} : { password: 'changed' };
      touch({ event: 'admin.updated', id, before, after: { ...before, ...given(fields), ...told } });
    });
    if (refusal !== undefined) throw new BackofficeError(refusal);
  } catch (error) {
    throw isUniqueViolation(error, adminEmailConstraint)
      ? new BackofficeError(adminErrors.emailTaken)
      : error;
  }
  return { success: true };
}

/** There is nobody to change, but the e-mail that is asked for may be another's. */
async function refuseUnknown(db: Database, email: string | undefined): Promise<DocumentedError | undefined> {
  return (await hasEmail(db, email)) ? adminErrors.emailTaken : undefined;
}

/** Only the fields that have a value. */
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export async function deleteAdmin(
  { change, actor, strictRoles }: Context,
  { id }: ParsedInputOf<'admins.delete'>,
): Promise<OutputOf<'admins.delete'>> {
  const refusal = await change(async (tx, touch) => {
    const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, null) : undefined;
    if (refused !== undefined) return refused;
    const target = await deleteAdminUnless(tx, id, actor.admin?.email ?? null);
    if (target === null) return;
    const { kept, ...before } = target;
    if (kept) return adminErrors.ownAccount;
    touch({ event: 'admin.deleted', id, before });
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}

export async function changeAdminActivity(
  { change, actor, strictRoles }: Context,
  { id, is_active }: ParsedInputOf<'admins.changeActivity'>,
): Promise<OutputOf<'admins.changeActivity'>> {
  if (is_active === 0 && actor.admin?.id === id) throw new BackofficeError(adminErrors.ownActivity);
  const refusal = await change(async (tx, touch) => {
    const role = is_active === 1 ? undefined : null;
    const refused = strictRoles ? await checkStrictChange(tx, actor.role, id, role) : undefined;
    if (refused !== undefined) return refused;
    const before = await updateAdminActivity(tx, id, is_active);
    if (before !== null && before !== is_active) {
      touch({ event: 'admin.updated', id, before: { is_active: before }, after: { is_active } });
    }
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}
