import { BackofficeError, busy } from '../../contract/errors.ts';
import { createSemaphore, type RunLimited } from '../../shared/semaphore.ts';

/** The `Retry-After` of a `busy` error. */
const retryAfterSeconds = 5;

/** Returns the error for a call that exceeds a limit of the service. */
export function busyError(): BackofficeError {
  return new BackofficeError(busy, { retryAfter: retryAfterSeconds });
}

/** Returns a semaphore that rejects with `busy` when its queue is full. */
export function limitCalls(concurrency: number, queueLimit: number): RunLimited {
  return createSemaphore({ concurrency, queueLimit, onFull: busyError });
}
