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
  const queue = new Set<() => void>();
  let free = concurrency;

  function waitInQueue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(start);
        reject(signal?.reason);
      };
      queue.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return async function runLimited<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (free > 0) free--;
    else if (queue.size >= queueLimit) throw onFull();
    else await waitInQueue(signal);
    try {
      return await work();
    } finally {
      // Hand the slot straight to the next caller, so that no other call can take it in between.
      const [start] = queue;
      if (start === undefined) free++;
      else {
        queue.delete(start);
        start();
      }
    }
  };
}
