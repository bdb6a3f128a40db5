import { BackofficeError, busy } from '../../contract/errors.ts';
import { createSemaphore, type RunLimited } from '../../shared/semaphore.ts';

/** Seconds after which a caller that was told `busy` may try again. */
const retryAfterSeconds = 5;

/** The error of a call that the service has no room for. */
export function busyError(): BackofficeError {
  return new BackofficeError(busy, { retryAfter: retryAfterSeconds });
}

/** Returns a semaphore that answers `busy` when its queue is full. */
export function limitCalls(concurrency: number, queueLimit: number): RunLimited {
  return createSemaphore({ concurrency, queueLimit, onFull: busyError });
}
