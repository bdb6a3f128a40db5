import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';

/**
 * Returns what a caller may read about a database error. It never contains the host, the SQL or Postgres' own message.
 */
export function describeDatabaseError(error: unknown): string | undefined {
  if (error instanceof StatementTimeoutError || error instanceof StatementCancelledError) {
    return 'The database took too long to answer.';
  }
  return isUnavailable(error) ? 'The database is unavailable.' : undefined;
}

/** Postgres' error codes for an unknown table, column and function. */
const unknownNameCodes = ['42P01', '42703', '42883'];

/** Reports whether a statement names something that the schema lacks: this version's migrations are not applied. */
export function isSchemaOutdated(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if ('code' in reason && unknownNameCodes.includes(String(reason.code))) return true;
  }
  return false;
}

/** Reports whether the error is a violation of the given unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError && error.constraint === constraint;
}

/** Postgres' error codes for a server that is starting, shutting down or full, and the network errors of the system. */
const unavailableCodes =
  /^(57P0[123]|53300|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/;

/** Reports whether the server cannot be reached, or has ended the connection. */
export function isUnavailable(error: unknown): boolean {
  if (
    error instanceof ConnectionError ||
    error instanceof BackendTerminatedError ||
    error instanceof BackendTerminatedUnexpectedlyError ||
    error instanceof IdleTransactionTimeoutError
  ) {
    return true;
  }
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && unavailableCodes.test(String(error.code))) ||
    /^(connection terminated|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error)/i.test(
      error.message,
    )
  );
}
