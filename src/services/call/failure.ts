import { BackofficeError } from '../../contract/errors.ts';
import { failsWith500, type Operation } from '../../contract/operation.ts';
import { describeDatabaseError, hasNotRun, isLocked, retryAfterOf } from '../../db/connection/errors.ts';
import type { Log } from './observer.ts';

/** What has failed: an operation, or something else that has a name only. */
type Failed = Pick<Operation, 'id' | 'failure'> & Partial<Pick<Operation, 'method' | 'path' | 'repeatable'>>;

/**
 * Returns the error for the caller. A BackofficeError stays as it is; any other error is logged in full. It becomes
 * `busy` if the database is away or locked and the call is safe to repeat (`hasBegun` if it may have had its effect), else
 * `failed` with the operation's text (contract section 7, the rows of 500). It says when to try again if the error passes.
 */
export function toFailure(operation: Failed, error: unknown, log: Log, hasBegun = false): BackofficeError {
  if (error instanceof BackofficeError) {
    const { code, retryAfter } = error;
    if (code !== 'failed' || operation.failure === undefined) return error;
    return new BackofficeError({ code, text: operation.failure }, { cause: error, retryAfter });
  }
  const retryAfter = retryAfterOf(error);
  const isBusy = retryAfter !== undefined && mayBeBusy(operation, error, hasBegun);
  log[isBusy ? 'warn' : 'error']({ err: error, operation: operation.id }, 'operation failed');
  const ownText = isBusy ? undefined : operation.failure;
  const text = ownText ?? describeDatabaseError(error) ?? 'An unexpected error occurred.';
  return new BackofficeError({ code: isBusy ? 'busy' : 'failed', text }, { cause: error, retryAfter });
}

function mayBeBusy(operation: Failed, error: unknown, hasBegun: boolean): boolean {
  if (isLocked(error)) return true;
  const { path = '', method, repeatable } = operation;
  if (failsWith500({ path })) return false;
  return !hasBegun || method === 'GET' || repeatable === true || hasNotRun(error);
}
