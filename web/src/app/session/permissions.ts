import { operations } from 'virtual:operations';
import { refusalToChange } from '../../../../src/contract/known-settings/setting-rights.ts';
import type { OperationId } from '../../../../src/contract/registry.ts';
import { type Role, roles } from '../../../../src/contract/vocabulary.ts';
import { useSession } from './session.ts';

/** Reports whether a role may call an operation at all. The server decides, also by the input. */
export function may(role: Role, id: OperationId): boolean {
  return operations[id].roles.includes(role);
}

/** Says who may call an operation, to somebody who may not. */
export function refusalOf(id: OperationId): string {
  const allowed = roles.toReversed().filter((role) => may(role, id));
  return `Only ${allowed.map((role) => `${role}s`).join(' and ')} may do this.`;
}

/** Reports whether a role is more powerful than another one. */
export function isAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

/** Returns a role and the less powerful ones. */
export function rolesUpTo(role: Role): readonly Role[] {
  return roles.slice(roles.indexOf(role));
}

/** Reports what the signed-in admin may do, with a session that may be limited to setting up a second factor. */
export function useMay(): (id: OperationId) => boolean {
  const { admin, isLimited } = useSession();
  return (id) => may(admin.role, id) && (!isLimited || operations[id].enrolment === true);
}

/** Returns a function that says why the signed-in admin may not change a setting; undefined if they may. */
export function useSettingRefusal(): (key: string) => string | undefined {
  const { admin, rules } = useSession();
  return (key) => refusalToChange(admin.role, key, rules.strict_roles);
}
