import { BackofficeError, busy } from '../contract/errors.ts';
import type { InTurn } from '../db/json.ts';

/**
 * Makes a function that runs work in turns: so much of it at once, the rest in line, first come first served.
 *
 * @param atOnce - how much work runs at the same time
 * @param inLine - how much may wait; what comes beyond that is told `busy`
 */
export function createTurns(atOnce: number, inLine: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--;
    else if (waiting.length >= inLine) throw new BackofficeError(busy, { retryAfter: 5 });
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A turn that is handed on is never free in between.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
