import type { DocumentedError } from './errors.ts';
import type { Role } from './vocabulary.ts';

/** Who may call an operation: anyone at all, any valid session, or the sessions of some roles. */
export type AccessRule =
  | { readonly to: 'anyone' }
  | { readonly to: 'session' }
  | { readonly to: 'roles'; readonly roles: readonly Role[]; readonly otherwise: DocumentedError };

export const insufficientPermissions: DocumentedError = {
  code: 'forbidden',
  text: 'Insufficient permissions.',
};

/** Contract section 5: "any valid session". */
export const anySession: AccessRule = { to: 'session' };

/** Contract section 5: those who may create and delete admins. */
export const managers: AccessRule = {
  to: 'roles',
  roles: ['superadmin', 'admin'],
  otherwise: insufficientPermissions,
};

/** Of what only the most powerful may see and do. */
export const superadmins: AccessRule = {
  to: 'roles',
  roles: ['superadmin'],
  otherwise: insufficientPermissions,
};
