import { WaitingLine } from './waiting-line.ts';

/**
 * Runs work when a slot is free. Rejects with the signal's reason if it aborts first; work that has started continues.
 */
export type RunLimited = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export interface SemaphoreOptions {
  /** How many calls may run at once. */
  readonly concurrency: number;
  /** How many calls may wait for a slot. */
  readonly queueLimit: number;
  /** Returns the error for a call that finds the queue full. */
  readonly onFull: () => Error;
}

/** Returns a function that runs a limited number of calls at once and queues the rest, first come, first served. */
export function createSemaphore({ concurrency, queueLimit, onFull }: SemaphoreOptions): RunLimited {
  const queue = new WaitingLine();
  let free = concurrency;

  return async function runLimited<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (free > 0) free--;
    else if (queue.length >= queueLimit) throw onFull();
    else await queue.wait(0, signal);
    try {
      return await work();
    } finally {
      // Hand the slot straight to the next caller, so that no other call can take it in between.
      if (queue.length === 0) free++;
      else queue.admit();
    }
  };
}
