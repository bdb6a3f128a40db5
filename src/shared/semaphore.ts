import { BackofficeError, busy } from '../contract/errors.ts';
import type { InTurn } from '../db/lists/list-query.ts';

/**
 * Makes a function that runs work in turns: so much of it at once, the rest in line, first come first served. Whose
 * signal aborts leaves the line with its reason; work that has begun goes on.
 *
 * @param atOnce - how much work runs at the same time
 * @param inLine - how much may wait; what comes beyond that is told `busy`
 */
export function createTurns(atOnce: number, inLine: number): InTurn {
  const line = new Set<() => void>();
  let free = atOnce;

  function waitInLine(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.delete(begin);
        reject(signal?.reason);
      };
      line.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return async function inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (free > 0) free--;
    else if (line.size >= inLine) throw new BackofficeError(busy, { retryAfter: 5 });
    else await waitInLine(signal);
    try {
      return await work();
    } finally {
      // A turn that is handed on is never free in between.
      const [begin] = line;
      if (begin === undefined) free++;
      else {
        line.delete(begin);
        begin();
      }
    }
  };
}
