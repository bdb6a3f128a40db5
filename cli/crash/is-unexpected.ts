import { BackofficeError } from '../../src/contract/errors.ts';
import { describeDatabaseError, isSchemaOutdated } from '../../src/db/connection/errors.ts';
import { ExpectedError } from '../../src/shared/errors.ts';

/**
 * Returns the error that is a defect of the program, if there is one: not what the user, the network, the database or the
 * operating system caused, which have sentences of their own. A failed operation has its reason as its cause.
 */
export function unexpectedError(error: unknown): Error | undefined {
  if (error instanceof BackofficeError) {
    return error.code === 'failed' ? unexpectedError(error.cause) : undefined;
  }
  if (!(error instanceof Error) || error instanceof ExpectedError) return undefined;
  if (describeDatabaseError(error) !== undefined || isSchemaOutdated(error)) return undefined;
  // A plain Error has a sentence for the user; one of the operating system says what it refused.
  return error.constructor === Error || 'syscall' in error || error.name === 'AbortError' ? undefined : error;
}
