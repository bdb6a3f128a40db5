import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import { retentionKeys, settingErrors } from '../../contract/operations/settings.ts';
import { type Role, roles } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/pool.ts';
import { lockActiveSuperadmins, lockAdmin } from '../../db/tables/admins.ts';

/**
 * The rules of the strict mode (`BACKOFFICE_STRICT_ROLES=1`), which refuse what the contract allows and a security
 * review would not.
 */

/** @throws BackofficeError when the creator is less powerful than the superadmin that it would create */
export function checkStrictCreate(creator: Role, created: Role): void {
  if (created === 'superadmin' && creator !== 'superadmin')
    throw new BackofficeError(adminErrors.strictCreate);
}

/** @throws BackofficeError when anyone but a superadmin writes or removes a setting that bounds the trail of changes */
export function checkStrictSettings(writer: Role, keys: readonly string[]): void {
  if (writer !== 'superadmin' && keys.some((key) => retentionKeys.includes(key))) {
    throw new BackofficeError(settingErrors.strictRetention);
  }
}

/** Whether ending the sessions of those admins is refused, and why: nobody ends that of a more powerful one. */
export async function checkStrictSessions(
  tx: Database,
  actorRole: Role,
  adminIds: readonly string[],
): Promise<DocumentedError | undefined> {
  for (const id of adminIds) {
    const target = await lockAdmin(tx, id);
    if (target !== null && isAbove(target.role, actorRole)) return adminErrors.strictTarget;
  }
  return undefined;
}

function isAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

/**
 * Whether a change of an admin is refused, and why. It is told rather than thrown, because an error thrown in a
 * transaction costs its connection.
 *
 * @param newRole - the role it is given, undefined where that stays, null where the admin is deleted or deactivated
 */
export async function checkStrictChange(
  tx: Database,
  actorRole: Role,
  id: string,
  newRole: Role | null | undefined,
): Promise<DocumentedError | undefined> {
  const superadmins = await lockActiveSuperadmins(tx);
  const target = await lockAdmin(tx, id);
  if (target === null) return undefined;
  if (isAbove(target.role, actorRole)) return adminErrors.strictTarget;
  const stays = newRole === undefined || newRole === 'superadmin';
  return !stays && superadmins.length === 1 && superadmins[0] === id ? adminErrors.strictLast : undefined;
}
