import { createFairQueue, type FairQueueOptions } from '../../shared/waiting/fair-queue.ts';
import { currentCaller, currentSignal } from './caller.ts';
import type { CallerPace, PacedPool } from './caller-pace.ts';
import type { HangDetector } from './hang-detector.ts';

/** Runs work that takes a connection of a pool. */
export interface RunWithConnection {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Returns how much work waits for its share. */
  waiting(): number;
}

export interface ConnectionSharesOptions extends Pick<FairQueueOptions, 'maxAlone'> {
  /** Watches the work. While the database hangs, none starts and none waits. */
  readonly hangs?: HangDetector | undefined;
  /** Limits what an account runs at once in all pools together. */
  readonly pace?: CallerPace | undefined;
}

/**
 * Returns what runs work on a pool with that many connections, so that no caller holds more than half of them. Work for
 * which nobody waits any more does not start. What the service does for itself, such as jobs, waits for nobody here.
 */
export function connectionShares(
  connections: number,
  { hangs, pace, ...options }: ConnectionSharesOptions = {},
): RunWithConnection {
  const standstill = hangs && (() => hangs.hang);
  const runFairly = createFairQueue({ currentCaller, capacity: connections, standstill, ...options });
  const pool: PacedPool = { paced: 0, standstill };
  const run = <T>(work: () => Promise<T>) => {
    const watched = hangs === undefined ? work : () => hangs.watch(work);
    const caller = currentCaller();
    if (caller === undefined) return watched();
    const signal = signalOfWait();
    const runInPool = () => runFairly(watched, signal);
    return pace === undefined || caller.call === undefined
      ? runInPool()
      : pace(caller, pool, runInPool, signal);
  };
  return Object.assign(run, { waiting: () => pool.paced + runFairly.load().waiting });
}

/** Returns the signal that ends a wait. What begins after it has aborted ends something that it interrupted. */
function signalOfWait(): AbortSignal | undefined {
  const signal = currentSignal();
  return signal?.aborted ? undefined : signal;
}
