import { DatabaseError } from 'pg';
import { BackendTerminatedError, ConnectionError, SlonikError } from 'slonik';
import { locked, unavailable } from '../../contract/errors.ts';
import { errorCode } from '../../shared/errors.ts';

/** The codes of the system and of Postgres for a connection that fails to open, and those for one that breaks. */
const notOpened = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE|57P03|53300)$/;
const broken = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|57P0[12]|25P03|08\w{3})$/;

/** What `pg` says when a server does not accept a connection in time, and when it does not answer a statement. */
const notAccepted = /^(timeout expired|connection terminated due to connection timeout)/i;
const notAnswered = /^query read timeout/i;
/** What it says of an unusable connection. */
const isOver = /^(connection terminated|client (has encountered|was closed|is pending destroy))/i;

/** Returns the error of `pg` or the system that Slonik has wrapped, and any other error as it is. */
const reasonOf = (error: unknown) => (error instanceof SlonikError ? (error.cause ?? error) : error);

const codeOf = (error: unknown) => errorCode(reasonOf(error)) ?? '';

function hasMessage(error: unknown, ...messages: readonly RegExp[]): boolean {
  const reason = reasonOf(error);
  return reason instanceof Error && messages.some((message) => message.test(reason.message));
}

/** Returns Slonik's error for a connection that is over, on which it sends nothing more, and any other error as it is. */
export const toSlonikError = (error: Error) =>
  isUnavailable(error) ? new BackendTerminatedError(error) : error;

/** Returns what a caller may read about a database error. It never contains the host, the SQL or Postgres' own message. */
export function describeDatabaseError(error: unknown): string | undefined {
  if (isTimedOut(error)) return 'The database took too long to answer.';
  if (isLocked(error)) return locked.text;
  if (isReadOnly(error)) return 'The database accepts no changes at the moment.';
  if (isDiskFull(error)) return 'The database has no disk space left.';
  return isUnavailable(error) ? unavailable.text : undefined;
}

const retryAfterSeconds = 2;

/**
 * Returns after how many seconds the same call may succeed, if the error passes: the database is unavailable or locked, or
 * another server takes over from it.
 */
export const retryAfterOf = (error: unknown) =>
  isUnavailable(error) || isReadOnly(error) || isLocked(error) ? retryAfterSeconds : undefined;

/**
 * Reports whether a statement that failed has certainly changed nothing: no connection could be opened for it, or the
 * database refused it. Of one whose connection broke, nobody knows.
 */
export const hasNotRun = (error: unknown) => isNotConnected(error) || isReadOnly(error) || isLocked(error);

/** Reports whether a statement was cancelled, most often because it took too long. */
export const isTimedOut = (error: unknown) => codeOf(error) === '57014';

/** Reports whether a statement has waited too long for a lock. It has changed nothing. */
export const isLocked = (error: unknown) => codeOf(error) === '55P03';

/** Reports whether a server refuses changes: it was the primary until a moment ago, or is not yet. */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006';

/** Reports whether a server could not write because its disk is full. It can, as soon as somebody frees space. */
export const isDiskFull = (error: unknown) => codeOf(error) === '53100';

/** Reports whether the role lacks a right. */
export const isPermissionDenied = (error: unknown) => codeOf(error) === '42501';

/** Reports whether the error is a violation of the given unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Reports whether a statement names something that the schema lacks: this version's migrations are not applied. */
export function isSchemaOutdated(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    // An unknown table, column or function.
    if (/^(42P01|42703|42883)$/.test(codeOf(reason))) return true;
  }
  return false;
}

/**
 * Reports whether the database has refused what a statement would have done, because of its values or of other
 * transactions. The statement has changed nothing, and one with other values may succeed.
 */
export const isRefused = (error: unknown) => /^(2[23]|40|54|P0)...$/.test(codeOf(error));

/** Reports whether the database has rolled a transaction back so that others could go on: repeated, it may succeed. */
export const isRolledBack = (error: unknown) => codeOf(error).startsWith('40');

/** Reports whether a server says nothing: neither to a statement, nor to a pool that connects. */
export const isSilent = (error: unknown) => hasMessage(error, notAccepted, notAnswered);

/** Reports whether no connection could be opened. */
const isNotConnected = (error: unknown) =>
  error instanceof ConnectionError || notOpened.test(codeOf(error)) || hasMessage(error, notAccepted);

/** Reports whether the server cannot be reached, or has ended the connection. */
export const isUnavailable = (error: unknown) =>
  isNotConnected(error) ||
  error instanceof BackendTerminatedError ||
  broken.test(codeOf(error)) ||
  hasMessage(error, notAnswered, isOver);
