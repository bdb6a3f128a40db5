/** The error for a path that no operation has. */
export const notFound = { code: 'not_found', text: 'Unknown endpoint. See /api/docs.' } as const;

/** The error for a method that no operation of the path has. */
export const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint does not support this method.',
} as const;
