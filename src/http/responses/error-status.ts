import type { ErrorCode } from '../../contract/errors.ts';

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
