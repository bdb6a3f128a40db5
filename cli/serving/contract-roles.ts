/** What the API contract allows, and how to close it. For `up` and `doctor`, unless the roles are strict. */
export const contractRoles =
  'every signed-in person can set the password of every account, also of a superadmin; to prevent that, start with BACKOFFICE_STRICT_ROLES=1';
