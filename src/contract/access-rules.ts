import { z } from 'zod';
import { type DocumentedError, forbidden } from './errors.ts';
import { type Role, roles } from './vocabulary.ts';

/** Says who may call an operation: anyone, any valid session, or sessions of some roles. */
export type AccessRule =
  | { readonly to: 'anyone' }
  | { readonly to: 'session' }
  | { readonly to: 'roles'; readonly roles: readonly Role[]; readonly otherwise: DocumentedError };

export const insufficientPermissions: DocumentedError = forbidden('Insufficient permissions.');

/** Contract section 5: "any valid session". */
export const anySession: AccessRule = { to: 'session' };

/** Contract section 5: the roles that may create and delete admins. */
export const managers: AccessRule = {
  to: 'roles',
  roles: ['superadmin', 'admin'],
  otherwise: insufficientPermissions,
};

export const superadmins: AccessRule = {
  to: 'roles',
  roles: ['superadmin'],
  otherwise: insufficientPermissions,
};

export const roleSchema = z.enum(roles);

/** Maps `superadmin` and `user` to themselves and anything else to `admin` (contract 4.9). */
export function toRole(value: unknown): Role {
  return value === 'superadmin' || value === 'user' ? value : 'admin';
}
