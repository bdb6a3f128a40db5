import type { DocumentedError } from '../../contract/errors.ts';

/**
 * The error for a path that no operation has.
 *
 * @param prefix - the path before those of the service, as the client sees it
 */
export const notFound = (prefix = ''): DocumentedError => ({
  code: 'not_found',
  text: `Unknown endpoint. See ${prefix}/api/docs.`,
});

/** The error for a method that no operation of the path has. */
export const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint does not support this method.',
} as const;
