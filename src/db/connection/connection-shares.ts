import { createFairQueue, type FairQueueOptions } from '../../shared/fair-queue.ts';
import { currentCaller } from './caller.ts';

/** Runs work that takes a connection of a pool. */
export interface RunWithConnection {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Returns how much work waits for its share. */
  waiting(): number;
}

/**
 * Returns what runs work on a pool with that many connections, so that no caller holds more than half of them. What the
 * service does for itself, such as health checks, waits for nobody here.
 */
export function connectionShares(
  connections: number,
  options: Pick<FairQueueOptions, 'maxAlone'> = {},
): RunWithConnection {
  const runFairly = createFairQueue({ currentCaller, capacity: connections, ...options });
  const run = <T>(work: () => Promise<T>) => (currentCaller() === undefined ? work() : runFairly(work));
  return Object.assign(run, { waiting: () => runFairly.load().waiting });
}
