import { adminErrors } from '../../contract/operations/admins.ts';
import { retentionKeys, settingErrors } from '../../contract/operations/settings.ts';
import { type Role, roles } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/pool.ts';
import { lockActiveSuperadmins, lockAdmin } from '../../db/tables/admins.ts';
import { refuse } from '../call/refuse.ts';

/**
 * The rules of the strict mode (`BACKOFFICE_STRICT_ROLES=1`), which refuse what the contract allows and a security
 * review would not.
 */

/** @throws BackofficeError when the creator is less powerful than the superadmin that it would create */
export function checkStrictCreate(creator: Role, created: Role): void {
  if (created === 'superadmin' && creator !== 'superadmin') refuse(adminErrors.strictCreate);
}

/** @throws BackofficeError when anyone but a superadmin writes or removes a setting that bounds the trail of changes */
export function checkStrictSettings(writer: Role, keys: readonly string[]): void {
  if (writer !== 'superadmin' && keys.some((key) => retentionKeys.includes(key))) {
    refuse(settingErrors.strictRetention);
  }
}

/** @throws BackofficeError if one of the admins is more powerful than the actor that ends their sessions */
export async function checkStrictSessions(
  tx: Database,
  actorRole: Role,
  adminIds: readonly string[],
): Promise<void> {
  for (const id of adminIds) {
    const target = await lockAdmin(tx, id);
    if (target !== null && isAbove(target.role, actorRole)) refuse(adminErrors.strictTarget);
  }
}

function isAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

/**
 * Checks a change of an admin, in its transaction.
 *
 * @param newRole - the new role, undefined if it stays, null if the admin is deleted or deactivated
 * @throws BackofficeError if the admin is more powerful than the actor, or is the last active superadmin
 */
export async function checkStrictChange(
  tx: Database,
  actorRole: Role,
  id: string,
  newRole: Role | null | undefined,
): Promise<void> {
  const superadmins = await lockActiveSuperadmins(tx);
  const target = await lockAdmin(tx, id);
  if (target === null) return;
  if (isAbove(target.role, actorRole)) refuse(adminErrors.strictTarget);
  const stays = newRole === undefined || newRole === 'superadmin';
  if (!stays && superadmins.length === 1 && superadmins[0] === id) refuse(adminErrors.strictLast);
}
