export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The random part of each delay, from 0 to 1. It keeps callers that failed together from retrying together. */
  readonly jitter?: number;
}

/** Delays between retries. Each is twice the previous one, up to a maximum. */
export interface Backoff {
  /** Returns the next delay in milliseconds. */
  next(): number;
  /** Starts again with the first delay, after a success. */
  reset(): void;
  /** Changes the first delay without forgetting the retries so far. */
  setFirstMs(firstMs: number): void;
}

/** @param random - returns a number from 0 (included) to 1 (excluded) */
export function createBackoff({ firstMs, maxMs, jitter = 0 }: BackoffOptions, random = Math.random): Backoff {
  let first = firstMs;
  let retries = 0;
  return {
    next() {
      const delay = Math.min(first * 2 ** retries, maxMs);
      retries += 1;
      return delay * (1 - jitter * random());
    },
    reset() {
      retries = 0;
    },
    setFirstMs(milliseconds) {
      first = milliseconds;
    },
  };
}
