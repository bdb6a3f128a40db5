/**
 * What went wrong, in the service's own words. A code says the kind of failure and nothing of any door: `src/http`
 * maps it to a status, `cli` to an exit code.
 */
export type ErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'invalid'
  | 'conflict'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'unsupported_encoding'
  | 'rate_limited'
  | 'busy'
  | 'failed';

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
