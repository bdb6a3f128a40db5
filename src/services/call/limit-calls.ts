import { BackofficeError, busy } from '../../contract/errors.ts';
import { createSemaphore, type RunLimited } from '../../shared/semaphore.ts';

/** The `Retry-After` of a `busy` error. */
const retryAfterSeconds = 5;

/** Returns the error for a call that exceeds a limit of the service. */
export function busyError(): BackofficeError {
  return new BackofficeError(busy, { retryAfter: retryAfterSeconds });
}

/** How many calls of a class run at once, and how many wait. */
export interface CallLimits {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
}

/** Returns a semaphore that rejects with `busy` when its queue is full. */
export function limitCalls({ maxConcurrent, maxQueued }: CallLimits): RunLimited {
  return createSemaphore({ concurrency: maxConcurrent, queueLimit: maxQueued, onFull: busyError });
}
