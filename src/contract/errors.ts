/**
 * The kinds of errors, and when each occurs. A code belongs to no interface: `src/http` maps it to a status, `cli` to an
 * exit code.
 */
export const errorCodes = {
  unauthenticated: 'There is no valid session or token, or the sign-in failed.',
  forbidden: 'The caller may not do this.',
  invalid: 'The input is incomplete or invalid, or names something that does not exist.',
  conflict: 'The input conflicts with existing data.',
  not_found: 'There is no such endpoint.',
  method_not_allowed: 'The endpoint does not support the method.',
  too_large: 'The request body is too large.',
  unsupported_encoding: 'The request body has an unsupported encoding.',
  rate_limited: 'There were too many attempts. The `Retry-After` header says when to try again.',
  busy: 'The service is overloaded. The `Retry-After` header says when to try again.',
  failed: 'Something failed unexpectedly.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error that an operation documents: its kind and the exact text that the caller reads. */
export interface DocumentedError {
  readonly code: ErrorCode;
  readonly text: string;
}

/** A failure that the caller is meant to read. Its message is safe to show: no host, SQL, stack or secret. */
export class BackofficeError extends Error {
  override readonly name = 'BackofficeError';
  readonly code: ErrorCode;
  /** Seconds after which the same call may succeed, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(error: DocumentedError, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(error.text, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = error.code;
    this.retryAfter = options.retryAfter;
  }
}

/** Contract section 5, rule 1. */
export const unauthorized: DocumentedError = { code: 'unauthenticated', text: 'Unauthorized' };

/** More waits for its turn than the service takes on, or something has waited too long. */
export const busy: DocumentedError = {
  code: 'busy',
  text: 'The service is busy. Try again in a few seconds.',
};

/** A 400 with the given text. */
export function invalid(text: string): DocumentedError {
  return { code: 'invalid', text };
}
