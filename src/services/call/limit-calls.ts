import { BackofficeError, busy } from '../../contract/errors.ts';
import { currentCaller } from '../../db/connection/caller.ts';
import { createFairQueue, type FairQueue } from '../../shared/fair-queue.ts';
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

/** The limits of a class that all callers share. */
export interface FairLimits extends CallLimits {
  /** How many slots only preferred callers use. */
  readonly reserved?: number;
  /** Whether a caller may use all slots while it is alone. For short calls only. */
  readonly lends?: boolean;
}

/** Returns a queue that gives no caller more than half of the slots. It rejects with `busy` when it is full. */
export function shareCalls({ maxConcurrent: capacity, lends = false, ...limits }: FairLimits): FairQueue {
  const maxAlone = lends ? capacity : 0;
  return createFairQueue({ currentCaller, capacity, maxAlone, ...limits, onFull: busyError });
}

/** Returns a semaphore that rejects with `busy` when its queue is full. */
export function limitCalls({ maxConcurrent, maxQueued }: CallLimits): RunLimited {
  return createSemaphore({ concurrency: maxConcurrent, queueLimit: maxQueued, onFull: busyError });
}
