export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The share of each delay that is random, from 0 to 1, so that callers which failed together do not retry together. */
  readonly jitter?: number;
}

/** Delays between retries: each is twice the one before, up to a maximum. */
export interface Backoff {
  /** Returns the next delay in milliseconds. */
  next(): number;
  /** Starts again with the first delay, after a success. */
  reset(): void;
}

/** @param random - from 0 to 1 */
export function createBackoff({ firstMs, maxMs, jitter = 0 }: BackoffOptions, random = Math.random): Backoff {
  let retries = 0;
  return {
    next() {
      const delay = Math.min(firstMs * 2 ** retries, maxMs);
      retries += 1;
      return delay * (1 - jitter * random());
    },
    reset() {
      retries = 0;
    },
  };
}
