/** What the API contract allows, and how to close it. For `up` and `doctor`, unless the roles are strict. */
export const contractRoles =
  'any signed-in admin can set the password of any other; BACKOFFICE_STRICT_ROLES=1 prevents that';
