import { busyError } from '../../contract/errors.ts';
import { currentCaller, currentSignal, noteDelay } from '../../db/connection/caller.ts';
import { createFairQueue, type FairQueue } from '../../shared/waiting/fair-queue.ts';
import { createSemaphore, type RunLimited } from '../../shared/waiting/semaphore.ts';

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
  /**
   * How long a call waits for a slot before it gets `busy`: less than the deadline of a request, or it would work for
   * nobody.
   */
  readonly queueTimeoutMs?: number;
}

/**
 * Returns a queue that gives no caller more than half of the slots. It rejects with `busy` when it is full, or the wait
 * takes too long.
 */
export function shareCalls({
  maxConcurrent: capacity,
  lends = false,
  queueTimeoutMs,
  ...limits
}: FairLimits): FairQueue {
  const maxAlone = lends ? capacity : 0;
  const run = createFairQueue({ currentCaller, capacity, maxAlone, ...limits, onFull: busyError });
  const runNoted = noteDelays(run);
  return queueTimeoutMs === undefined ? runNoted : waitAtMost(queueTimeoutMs, runNoted);
}

/** Notes of calls whether they have waited, so that they can be told that the service was busy. */
function noteDelays(run: FairQueue): FairQueue {
  const runNoted: RunLimited = (work, signal) => {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    const done = run(begin, signal);
    if (!hasBegun) noteDelay(currentSignal());
    return done;
  };
  return Object.assign(runNoted, { load: run.load });
}

function waitAtMost(timeoutMs: number, run: FairQueue): FairQueue {
  const runInTime: RunLimited = async (work, signal) => {
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(busyError()), timeoutMs);
    const either = signal === undefined ? tooLong.signal : AbortSignal.any([signal, tooLong.signal]);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    try {
      return await run(begin, either);
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.assign(runInTime, { load: run.load });
}

/** Returns a semaphore that rejects with `busy` when its queue is full. */
export function limitCalls({ maxConcurrent, maxQueued }: CallLimits): RunLimited {
  return createSemaphore({ concurrency: maxConcurrent, queueLimit: maxQueued, onFull: busyError });
}
