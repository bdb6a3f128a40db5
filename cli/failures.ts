import { constants } from 'node:os';
import { ConfigError } from '../src/config.ts';
import { BackofficeError, type ErrorCode } from '../src/contract/errors.ts';
import {
  describeDatabaseError,
  isDiskFull,
  isLocked,
  isReadOnly,
  isSchemaOutdated,
} from '../src/db/connection/errors.ts';
import { EmbeddedPostgresError } from '../src/db/embedded/programs.ts';
import { NotConnectedError, NotFoundError, StoppedError, TryAgainError, UsageError } from './errors.ts';

/** The exit codes of errors: 2 usage, 3 not found, 4 not allowed or not connected. Any other just failed: 1. */
const exitCodes: Readonly<Partial<Record<Code, number>>> = {
  invalid: 2,
  too_large: 2,
  unsupported_encoding: 2,
  not_found: 3,
  unauthenticated: 4,
  forbidden: 4,
  factor_required: 4,
  access_denied: 4,
  rate_limited: 4,
  starting: 4,
  not_connected: 4,
};

/** The code of an error: that of the API, or of what only a command can meet. */
type Code = ErrorCode | 'not_connected' | 'stopped';

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof TryAgainError) return 75;
  if (error instanceof StoppedError) return 128 + constants.signals[error.signal];
  return error instanceof EmbeddedPostgresError ? 4 : (exitCodes[codeOf(error)] ?? 1);
}

/** Describes an error in a sentence or two: what happened, then what to do. */
export function sentenceOf(error: unknown): string {
  const failure = databaseFailureOf(error);
  if (failure !== undefined) return `${failure} ${adviceFor(reasonOf(error))}`;
  if (isSchemaOutdated(error)) {
    return 'The database schema is out of date. Run `backoffice migrate up`.';
  }
  if (isSignedOut(error)) {
    return 'No valid API token. Run `backoffice login` to sign in to the server, or set BACKOFFICE_TOKEN.';
  }
  const sentence = error instanceof Error ? error.message : String(error);
  return isDefect(reasonOf(error))
    ? `${sentence} This is a defect of backoffice. Run the command again with --debug to see where it is.`
    : sentence;
}

/** Reports whether an error is a mistake in the program: one that the language throws, and nobody has expected. */
function isDefect(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

/** Renders an error as a line of JSON, with the code that the API has for it. */
export function jsonOf(error: unknown): string {
  return JSON.stringify({ error: sentenceOf(error), code: codeOf(error) });
}

function codeOf(error: unknown): Code {
  if (isNotConnected(error)) return 'not_connected';
  if (error instanceof BackofficeError) return error.code;
  if (error instanceof UsageError || error instanceof ConfigError) return 'invalid';
  if (error instanceof NotFoundError) return 'not_found';
  return error instanceof StoppedError ? 'stopped' : 'failed';
}

/** Reports whether the server does not accept the token, or got none. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof BackofficeError && error.code === 'unauthenticated';
}

/** Describes the database failure behind an error. A failed operation has its own message; the cause is behind it. */
function databaseFailureOf(error: unknown): string | undefined {
  return describeDatabaseError(reasonOf(error));
}

function reasonOf(error: unknown): unknown {
  return error instanceof BackofficeError && ['failed', 'busy'].includes(error.code) ? error.cause : error;
}

/** Says what to do about a failure of the database. */
function adviceFor(error: unknown): string {
  if (isDiskFull(error)) return 'Free space on its disk, then try again.';
  if (isReadOnly(error) || isLocked(error)) return 'Try again in a moment, or run `backoffice doctor`.';
  return 'Check DATABASE_URL, and that Postgres is running.';
}

/** Reports whether the server or database was unreachable, so that a retry may succeed. */
export function isNotConnected(error: unknown): boolean {
  return databaseFailureOf(error) !== undefined || error instanceof NotConnectedError;
}
