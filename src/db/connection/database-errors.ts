import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';

/** What a caller may read of a failure of the database: never its host, its SQL or its own message. */
export function describeDatabaseError(error: unknown): string | undefined {
  if (error instanceof StatementTimeoutError || error instanceof StatementCancelledError) {
    return 'The database took too long to answer.';
  }
  return isUnavailable(error) ? 'The database is unavailable.' : undefined;
}

/** Postgres' codes for an unknown table, column and function. */
const unknownNameCodes = ['42P01', '42703', '42883'];

/** Whether the schema lacks what a statement of ours names: the migrations of this version are not applied. */
export function isSchemaOutdated(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if ('code' in reason && unknownNameCodes.includes(String(reason.code))) return true;
  }
  return false;
}

/** Whether the error is the violation of that unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError && error.constraint === constraint;
}

/** Postgres' codes for "cannot connect now", "too many connections" and an ordered shutdown, and the system's. */
const unavailableCodes =
  /^(57P0[123]|53300|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/;

function isUnavailable(error: unknown): boolean {
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
