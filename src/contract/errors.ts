/** The kinds of errors, and when each occurs. `src/http` maps them to a status, `cli` to an exit code. */
export const errorCodes = {
  unauthenticated: 'There is no valid session or token, or the sign-in failed.',
  forbidden: 'The caller may not do this.',
  factor_required: 'The session is limited until a second factor is set up.',
  invalid: 'The input is incomplete or invalid, or names something that does not exist.',
  conflict: 'The input conflicts with existing data.',
  changed: 'The data is no longer what the caller saw, as `expected` says. Nothing was changed.',
  idempotency_key_in_use:
    'The first request with the same `Idempotency-Key` is still running. The `Retry-After` header says when to try again.',
  idempotency_key_reused: 'The `Idempotency-Key` was used for a different request.',
  authorization_pending: 'Nobody has let the device in yet. Ask again after the interval.',
  slow_down: 'The device asks too often. Add five seconds to the interval.',
  expired_token: 'The code of the device is unknown, too old, or was used. Start again.',
  access_denied: 'The device was not let in.',
  not_found: 'There is no such endpoint.',
  method_not_allowed: 'The endpoint does not support the method.',
  request_timeout: 'The request body did not arrive in time.',
  too_large: 'The request body is too large.',
  unsupported_encoding: 'The request body has an unsupported encoding.',
  expectation_failed: 'The request has an Expect header that the service cannot meet.',
  rate_limited: 'There were too many attempts or requests. The `Retry-After` header says when to try again.',
  busy: 'The service is overloaded, or its database is away or locked. The same call may be made again: the `Retry-After` header says when.',
  not_configured: 'The service lacks a setting that the call needs. The message names it.',
  starting:
    'The service has no current schema or no admin yet. The `Retry-After` header says when to try again.',
  failed: 'Something failed unexpectedly.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error that an operation documents: its code and its exact text. */
export interface DocumentedError {
  readonly code: ErrorCode;
  readonly text: string;
  /** The field or parameter at fault, with dots between levels: `email`, `updates.theme`. */
  readonly param?: string | undefined;
}

/** An error for the caller. Its message is safe to show: it has no host, SQL, stack trace or secret. */
export class BackofficeError extends Error {
  override readonly name = 'BackofficeError';
  readonly code: ErrorCode;
  /** The field or parameter at fault, if there is one. */
  readonly param: string | undefined;
  /** Seconds after which the same call may succeed, if known. */
  readonly retryAfter: number | undefined;

  constructor(error: DocumentedError, options: { retryAfter?: number | undefined; cause?: unknown } = {}) {
    super(error.text, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = error.code;
    this.param = error.param === '' ? undefined : error.param;
    this.retryAfter = options.retryAfter;
  }
}

/** Contract section 5, rule 1. */
export const unauthorized: DocumentedError = { code: 'unauthenticated', text: 'Unauthorized' };

/** The answer to a session that is limited to setting up a second factor. */
export const factorRequired: DocumentedError = {
  code: 'factor_required',
  text: 'Your account needs a second factor. Set one up with POST /api/admin/factors.',
};

/** The answer to a token that may only read. */
export const readOnlyToken: DocumentedError = forbidden('This API token may only read.');

/** The answer to a token of the scope `intake`. */
export const intakeOnly: DocumentedError = forbidden('This token may only send data in.');

/** A queue is full, or the call waited in one for too long. */
export const busy: DocumentedError = {
  code: 'busy',
  text: 'The service is busy. Try again in a few seconds.',
};

/** A migration, or a change of many rows, has locked what the call needs. */
export const locked: DocumentedError = {
  code: 'busy',
  text: 'The database is locked by other work, such as a migration.',
};

/** The database cannot be reached at the moment. */
export const unavailable: DocumentedError = { code: 'busy', text: 'The database is unavailable.' };

/** Returns the error for a call that exceeds a limit of the service. */
export function busyError(): BackofficeError {
  return new BackofficeError(busy, { retryAfter: 5 });
}

/** The database is not yet migrated, or has no admin yet. Every endpoint of the API answers with it until then. */
export const starting: DocumentedError = { code: 'starting', text: 'The service is starting.' };

/** There is no key that could encrypt a secret. */
export const noEncryptionKey: DocumentedError = {
  code: 'not_configured',
  text: 'Secrets are stored encrypted, and there is no key for that. Set BACKOFFICE_ENCRYPTION_KEY on the server.',
};

/** Returns a 400 with the given text. */
export function invalid(text: string): DocumentedError {
  return { code: 'invalid', text };
}

/** The answer to a body that cannot be parsed, unless the contract makes that a 500. */
export const notJson: DocumentedError = invalid('The request body must be JSON.');

/** Returns a 403 with the given text, and the field at fault if there is one. */
export function forbidden(text: string, param?: string): DocumentedError {
  return { code: 'forbidden', text, param };
}

/** Returns a 409 with the given text, and the field at fault if there is one. */
export function conflict(text: string, param?: string): DocumentedError {
  return { code: 'conflict', text, param };
}

/** Returns a 400 that names the field at fault, for a rule that is not in a schema. */
export function invalidField(param: string, text: string): DocumentedError {
  return { ...invalid(text), param };
}
