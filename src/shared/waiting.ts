/** Resolves after the time or when the signal aborts. Never rejects: check the signal afterwards. */
export function wait(timeMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timeMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Settles as the work does, or resolves with undefined after the time. The timer does not keep the process alive. */
export async function atMost<T>(timeMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer: { unref?(): void } | number = setTimeout(() => late.resolve(undefined), timeMs);
  // In browsers a timer is a number.
  if (typeof timer === 'object') timer.unref?.();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  }
}

/**
 * Settles as the work does, or rejects with the given error if the work takes longer than the time. The work itself is
 * not stopped.
 */
export async function within<T>(timeMs: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(onTimeout()), timeMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
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

/**
 * @param jitter - the random part of each delay, from 0 to 1. It keeps callers that failed together from retrying together.
 * @param random - returns a number from 0 (included) to 1 (excluded)
 */
export function createBackoff(
  { firstMs, maxMs, jitter = 0 }: { firstMs: number; maxMs: number; jitter?: number },
  random = Math.random,
): Backoff {
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

/**
 * Detects answers that arrive out of order. Call the returned function when a request starts, and call its result when
 * the answer arrives: it returns false if a later request has already been answered.
 */
export function latestOnly(): () => () => boolean {
  let started = 0;
  let answered = 0;
  return () => {
    started += 1;
    const request = started;
    return () => {
      if (request < answered) return false;
      answered = request;
      return true;
    };
  };
}

/** Returns a function that makes its value when it is first called, and returns the same value from then on. */
export function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

interface SingleFlight<T> {
  /** Starts the work, or joins the running call. */
  run(): Promise<T>;
  /** Makes the next `run` start the work again, even if an earlier call is still running. */
  forget(): void;
}

/** Shares one call of the work among all callers that ask while it is running. */
export function singleFlight<T>(work: () => Promise<T>): SingleFlight<T> {
  let current: Promise<T> | undefined;
  return {
    run() {
      if (current !== undefined) return current;
      const call = work().finally(() => {
        if (current === call) current = undefined;
      });
      current = call;
      return call;
    },
    forget() {
      current = undefined;
    },
  };
}

/**
 * Returns a function that runs the work one call at a time. All that ask during a call share the next one, which begins
 * after they have asked: it sees whatever they know of.
 */
export function shareNext<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  const next = singleFlight(async () => {
    await running;
    // Whoever asks from now on may know of something that this call does not see.
    next.forget();
    const call = work();
    running = call.catch(() => {});
    return await call;
  });
  return next.run;
}

/**
 * Runs the work one call at a time for each subject. Requests that arrive during a call share one more call after it,
 * so a slow service does not receive more calls than a fast one.
 */
export function coalesce<Subject>(work: (subject: Subject) => Promise<void>): (subject: Subject) => void {
  const running = new Set<Subject>();
  const requested = new Set<Subject>();
  const runAll = async (subject: Subject) => {
    running.add(subject);
    try {
      while (requested.delete(subject)) await work(subject);
    } finally {
      running.delete(subject);
    }
  };
  return (subject) => {
    requested.add(subject);
    if (!running.has(subject)) void runAll(subject);
  };
}
