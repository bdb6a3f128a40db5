import {
  type BackofficeError,
  type DocumentedError,
  type ErrorCode,
  errorCodes,
} from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Problem } from '../../contract/problem.ts';
import { problemType } from '../../contract/vocabulary.ts';
import { qualityOf } from '../requests/preferences.ts';

/** Where the codes are explained. */
export const errorsPath = '/api/docs/errors';

/** Describes an error of a request as a problem document. */
export function problemOf(
  { code, message, param }: BackofficeError,
  requestId: string,
  prefix = '',
): Problem {
  return {
    type: `${prefix}${errorsPath}#${code}`,
    title: errorCodes[code],
    status: statusOf[code],
    detail: message,
    code,
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
  };
}

/**
 * Reports whether an `Accept` header prefers a problem document to JSON. Equal preference is not enough: clients that
 * accept everything expect `{ error }`.
 */
export function prefersProblem(accept = ''): boolean {
  if (!accept.toLowerCase().includes(problemType)) return false;
  const problem = qualityOf(accept, [problemType, 'application/*', '*/*']) ?? 0;
  return problem > (qualityOf(accept, ['application/json', 'application/*', '*/*']) ?? 0);
}

/** The HTTP status of each error code (contract section 7; design, "Input and failure"). */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  factor_required: 403,
  invalid: 400,
  conflict: 409,
  changed: 409,
  idempotency_key_in_use: 409,
  idempotency_key_reused: 422,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  too_large: 413,
  unsupported_encoding: 415,
  expectation_failed: 417,
  rate_limited: 429,
  busy: 503,
  not_configured: 501,
  starting: 503,
  failed: 500,
};

/** Returns the status of a call that succeeds. */
export function statusOfSuccess({ accepted, created }: Pick<Operation, 'accepted' | 'created'>): number {
  if (accepted) return 202;
  return created ? 201 : 200;
}

/** The error for a path that no operation has. The prefix is the path before those of the service. */
export const notFound = (prefix = ''): DocumentedError => ({
  code: 'not_found',
  text: `Unknown endpoint. See ${prefix}/api/docs.`,
});

/** The error for a method that no operation of the path has. */
export const methodNotAllowed = {
  code: 'method_not_allowed',
  text: 'This endpoint does not support this method.',
} as const;
