import { retentionKeys } from '../../contract/known-settings/retention.ts';
import { adminErrors } from '../../contract/operations/admins.ts';
import { settingErrors } from '../../contract/operations/settings.ts';
import { type Role, roles } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/pool.ts';
import { lockAdmin } from '../../db/tables/accounts/admins.ts';
import { lockActiveSuperadmins } from '../../db/tables/accounts/superadmins.ts';
import { refuse } from '../call/refuse.ts';

// The rules of strict mode (`BACKOFFICE_STRICT_ROLES=1`), which refuses what the contract allows but a security review
// would not.

/** @throws BackofficeError if anyone but a superadmin creates a superadmin */
export function checkStrictCreate(creator: Role, created: Role): void {
  if (created === 'superadmin' && creator !== 'superadmin') refuse(adminErrors.strictCreate);
}

/** @throws BackofficeError if anyone but a superadmin changes or deletes a retention setting of the audit trail */
export function checkStrictSettings(writer: Role, keys: readonly string[]): void {
  if (writer !== 'superadmin' && keys.some((key) => retentionKeys.includes(key))) {
    refuse(settingErrors.strictRetention);
  }
}

/** @throws BackofficeError if one of the admins has a higher role than the actor that ends their sessions */
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
 * @param newRole - the new role, undefined if it does not change, null if the admin is deleted or deactivated
 * @throws BackofficeError if the admin has a higher role than the actor, or is the last active superadmin
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
  const remains = newRole === undefined || newRole === 'superadmin';
  if (!remains && superadmins.length === 1 && superadmins[0] === id) refuse(adminErrors.strictLast);
}
