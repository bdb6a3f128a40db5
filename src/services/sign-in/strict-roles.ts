import { adminErrors } from '../../contract/operations/admins.ts';
import { type Role, roles } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Admin, lockActiveSuperadmins, lockAdmin } from '../../db/tables/accounts/admins.ts';
import type { Actor } from '../call/actor.ts';
import { refuse } from '../call/refuse.ts';
import type { Rules } from './password-policy.ts';

// The rules of strict mode (`BACKOFFICE_STRICT_ROLES=1`), which refuses what the contract allows but a security review
// would not.

/** Reports whether the strict rules hold for a call. For API tokens, which the contract does not know, they always do. */
export function isStrict({ actor, rules }: { readonly actor: Actor; readonly rules: Rules }): boolean {
  return rules.strictRoles || actor.token !== undefined;
}

/** @throws BackofficeError if anyone but a superadmin creates a superadmin, or an API token does */
export function checkStrictCreate(creator: Actor, created: Role): void {
  if (created !== 'superadmin') return;
  if (creator.role !== 'superadmin') refuse(adminErrors.strictCreate);
  if (creator.token !== undefined) refuse(adminErrors.strictTokenCreate);
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

interface StrictChange {
  /** Whether the admin is no longer an active superadmin afterwards. */
  readonly removes: boolean;
  /** The fields that it sets. Absent is unchanged. Without any, it deletes, activates or deactivates the admin. */
  readonly update?: {
    readonly email?: string | undefined;
    readonly role?: Role | undefined;
    readonly password?: string | undefined;
  };
}

/**
 * Checks a change of an admin, in its transaction. Only superadmins may change another account's activity, e-mail, role
 * or password, and only people, not API tokens, the last three. Nobody may remove the last active superadmin.
 */
export async function checkStrictChange(
  tx: Database,
  actor: Actor,
  id: string,
  { removes, update }: StrictChange,
): Promise<void> {
  const superadmins = await lockActiveSuperadmins(tx);
  const target = await lockAdmin(tx, id);
  if (target === null) return;
  if (isAbove(target.role, actor.role)) refuse(adminErrors.strictTarget);
  if (update === undefined || changesCredentials(target, update)) {
    if (update !== undefined && actor.token !== undefined) refuse(adminErrors.strictToken);
    if (actor.role !== 'superadmin' && actor.admin?.id !== id) refuse(adminErrors.strictOthers);
  }
  if (removes && superadmins.length === 1 && superadmins[0] === id) refuse(adminErrors.strictLast);
}

/** A form may send what it has not changed. A password counts as changed: nobody sends the stored one. */
function changesCredentials(
  { email, role }: Pick<Admin, 'email' | 'role'>,
  { email: newEmail = email, role: newRole = role, password }: NonNullable<StrictChange['update']>,
): boolean {
  return password !== undefined || newEmail !== email || newRole !== role;
}
