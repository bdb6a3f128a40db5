import { ConfigError } from '../src/config.ts';
import { BackofficeError, type ErrorCode } from '../src/contract/errors.ts';
import { EmbeddedPostgresError } from '../src/db/embedded/error.ts';
import { describeDatabaseFailure } from '../src/db/failures.ts';

/** The command was given in a way that it cannot take; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for is not there; exit code 3. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The command ran and says no, such as a check that found differences; exit code 1. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}

/** The exit code of each kind of error. */
const exitCodes: Readonly<Record<ErrorCode, number>> = {
  unauthenticated: 4,
  forbidden: 4,
  invalid: 2,
  conflict: 1,
  not_found: 3,
  method_not_allowed: 1,
  too_large: 2,
  unsupported_encoding: 2,
  rate_limited: 4,
  busy: 1,
  failed: 1,
};

/** The exit code that an error ends a command with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof BackofficeError) return exitCodes[error.code];
  if (error instanceof UsageError || error instanceof ConfigError) return 2;
  if (error instanceof NotFoundError) return 3;
  if (error instanceof EmbeddedPostgresError || describeDatabaseFailure(error) !== undefined) return 4;
  return 1;
}

/** What a person is told of an error, in one sentence. */
export function sentenceOf(error: unknown): string {
  const failure = describeDatabaseFailure(error);
  if (failure !== undefined) return `${failure} Check DATABASE_URL and that Postgres runs.`;
  return error instanceof Error ? error.message : String(error);
}
