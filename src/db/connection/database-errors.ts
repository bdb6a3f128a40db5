import type { DatabaseError } from 'pg';
import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';
import { locked, unavailable } from '../../contract/errors.ts';
import { errorCode } from '../../shared/error-code.ts';
import { DatabaseHangsError } from './probe-connection.ts';

/**
 * Returns what a caller may read about a database error. It never contains the host, the SQL or Postgres' own message.
 */
export function describeDatabaseError(error: unknown): string | undefined {
  if (isTimeout(error)) {
    return 'The database took too long to answer.';
  }
  if (isLocked(error)) return locked.text;
  if (isReadOnly(error)) return 'The database accepts no changes at the moment.';
  if (isDiskFull(error)) return 'The database has no disk space left.';
  return isUnavailable(error) ? unavailable.text : undefined;
}

/**
 * Returns after how many seconds the same call may succeed, if the error passes: the database is unavailable or locked, or
 * another server takes over from it.
 */
export function retryAfterOf(error: unknown): number | undefined {
  return isUnavailable(error) || isReadOnly(error) || isLocked(error) ? retryAfterSeconds : undefined;
}

const retryAfterSeconds = 2;

/**
 * Reports whether a statement that failed has certainly changed nothing: no connection could be opened for it, or the
 * database refused it. Of one whose connection broke, nobody knows.
 */
export function hasNotRun(error: unknown): boolean {
  return isNotConnected(error) || isReadOnly(error) || isLocked(error);
}

/** Reports whether the database has cancelled a statement, as slonik or plain `pg` tells it. */
function isTimeout(error: unknown): boolean {
  return (
    error instanceof StatementTimeoutError ||
    error instanceof StatementCancelledError ||
    errorCode(error) === '57014'
  );
}

/** Reports whether a statement has waited too long for a lock. It has changed nothing. */
export function isLocked(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** Reports whether a server refuses changes: it was the primary until a moment ago, or is not yet. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006';
}

/** Reports whether a server could not write because its disk is full. It can, as soon as somebody frees space. */
export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === '53100';
}

/** Reports whether the role lacks a right. */
export function isPermissionDenied(error: unknown): boolean {
  return errorCode(error) === '42501';
}

/** Postgres' error codes for an unknown table, column and function. */
const unknownNameCodes = ['42P01', '42703', '42883'];

/** Reports whether a statement names something that the schema lacks: this version's migrations are not applied. */
export function isSchemaOutdated(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (unknownNameCodes.includes(errorCode(reason) ?? '')) return true;
  }
  return false;
}

/** Reports whether the error is a violation of the given unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (error instanceof UniqueIntegrityConstraintViolationError) return error.constraint === constraint;
  return errorCode(error) === '23505' && (error as DatabaseError).constraint === constraint;
}

/**
 * Reports whether the database has refused what a statement would have done, because of its values or of other
 * transactions. The statement has changed nothing, and one with other values may succeed.
 */
export function isRefused(error: unknown): boolean {
  const code = errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined);
  return code !== undefined && /^(2[23]|40|54|P0)...$/.test(code);
}

/** Reports whether the database has rolled a transaction back so that others could go on: repeated, it may succeed. */
export function isRolledBack(error: unknown): boolean {
  return errorCode(error)?.startsWith('40') === true;
}

/** Postgres' error codes for a server that is starting or full, and those of the system for a connection that fails to open. */
const notConnectedCodes = /^(57P03|53300|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
const notConnectedMessages =
  /^(timeout expired|timeout exceeded when trying to connect|connection terminated due to connection timeout)/i;

/** Reports whether no connection could be opened. */
function isNotConnected(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return isLike(error, notConnectedCodes, notConnectedMessages);
}

/** Postgres' error codes for a server that is shutting down, and those of the system for a connection that breaks. */
const brokenCodes = /^(57P0[12]|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH)$/;
const brokenMessages =
  /^(connection terminated|query read timeout|client has encountered a connection error)/i;

/** What `pg` says when a server neither accepts a connection nor answers on one. */
const silentMessages =
  /^(timeout expired|timeout exceeded when trying to connect|connection terminated due to connection timeout|query read timeout)/i;

/** Reports whether a server says nothing: neither to a question, nor to a pool that connects. */
export function isSilent(error: unknown): boolean {
  return (
    error instanceof DatabaseHangsError || (error instanceof Error && silentMessages.test(error.message))
  );
}

/** Reports whether the server cannot be reached, or has ended the connection. */
export function isUnavailable(error: unknown): boolean {
  return (
    isNotConnected(error) ||
    error instanceof BackendTerminatedError ||
    error instanceof BackendTerminatedUnexpectedlyError ||
    error instanceof IdleTransactionTimeoutError ||
    error instanceof DatabaseHangsError ||
    isLike(error, brokenCodes, brokenMessages)
  );
}

function isLike(error: unknown, codes: RegExp, messages: RegExp): boolean {
  return error instanceof Error && (codes.test(errorCode(error) ?? '') || messages.test(error.message));
}
