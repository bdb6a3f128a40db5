/** Runs work when a slot is free. Rejects with the signal's reason if it aborts first; work that has begun goes on. */
export type RunLimited = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export interface SemaphoreOptions {
  /** How many calls run at once. */
  readonly concurrency: number;
  /** How many calls may wait for a slot. */
  readonly queueLimit: number;
  /** Makes the error of a call that finds the queue full. */
  readonly onFull: () => Error;
}

/** Returns a function that runs a limited number of calls at once and queues the rest, first come, first served. */
export function createSemaphore({ concurrency, queueLimit, onFull }: SemaphoreOptions): RunLimited {
  const queue = new Set<() => void>();
  let free = concurrency;

  function waitInQueue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(begin);
        reject(signal?.reason);
      };
      queue.add(begin);
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
      // The slot goes straight to the next caller: nobody else can take it in between.
      const [begin] = queue;
      if (begin === undefined) free++;
      else {
        queue.delete(begin);
        begin();
      }
    }
  };
}
