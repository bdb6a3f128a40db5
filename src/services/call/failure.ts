import { BackofficeError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { describeDatabaseError, retryAfterOf } from '../../db/connection/database-errors.ts';
import type { Log } from './log.ts';

/**
 * Returns the error for the caller. A BackofficeError stays as it is; any other error is logged in full and becomes a
 * `failed` with the operation's text (contract section 7, the rows of 500). It says when to try again if the error
 * passes, as the loss of the database does.
 */
export function toFailure(
  operation: Pick<Operation, 'id' | 'failure'>,
  error: unknown,
  log: Log,
): BackofficeError {
  if (error instanceof BackofficeError) {
    return error.code === 'failed' && operation.failure !== undefined
      ? new BackofficeError({ code: 'failed', text: operation.failure }, { cause: error, ...retryOf(error) })
      : error;
  }
  log.error({ err: error, operation: operation.id }, 'operation failed');
  const text = operation.failure ?? describeDatabaseError(error) ?? 'An unexpected error occurred.';
  return new BackofficeError(
    { code: 'failed', text },
    { cause: error, ...retryOf({ retryAfter: retryAfterOf(error) }) },
  );
}

function retryOf({ retryAfter }: { readonly retryAfter: number | undefined }): { retryAfter?: number } {
  return retryAfter === undefined ? {} : { retryAfter };
}
