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
  const done = await atMost(
    timeMs,
    work.then((value) => ({ value })),
  );
  if (done === undefined) throw onTimeout();
  return done.value;
}

/**
 * Returns delays between retries. Each is twice the previous one, up to a maximum.
 *
 * @param jitter - the random part of each delay, from 0 to 1. It keeps callers that failed together from retrying together.
 */
export function createBackoff(options: { firstMs: number; maxMs: number; jitter?: number }) {
  let { firstMs } = options;
  const { maxMs, jitter = 0 } = options;
  let retries = 0;
  return {
    /** Returns the next delay in milliseconds. */
    next(): number {
      const delay = Math.min(firstMs * 2 ** retries, maxMs);
      retries += 1;
      return delay * (1 - jitter * Math.random());
    },
    /** Starts again with the first delay, after a success. */
    reset(): void {
      retries = 0;
    },
    /** Changes the first delay without forgetting the retries so far. */
    setFirstMs(milliseconds: number): void {
      firstMs = milliseconds;
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

/** Shares one call of the work among all callers that ask while it is running. */
export function singleFlight<T>(work: () => Promise<T>) {
  let current: Promise<T> | undefined;
  return {
    /** Starts the work, or joins the running call. */
    run(): Promise<T> {
      if (current !== undefined) return current;
      const call = work().finally(() => {
        if (current === call) current = undefined;
      });
      current = call;
      return call;
    },
    /** Makes the next `run` start the work again, even if an earlier call is still running. */
    forget(): void {
      current = undefined;
    },
  };
}

/**
 * Returns a function that runs the work one call at a time. All that ask during a call share the next one, which begins
 * after they have asked: it sees whatever they know of. The first of them may bring the work, which must do the same: what
 * an earlier caller brought may have ended with that caller.
 *
 * @param pause - what the next call waits for besides the one before
 */
export function shareNext<T>(work: () => Promise<T>, pause = async () => {}) {
  let running: Promise<void> | undefined;
  let next: Promise<T> | undefined;
  const start = (own: () => Promise<T>) => {
    // Whoever asks from now on may know of something that this call does not see.
    next = undefined;
    const call = own();
    running = call
      .catch(() => {})
      .then(pause)
      .finally(() => {
        if (next === undefined) running = undefined;
      });
    return call;
  };
  return (own = work): Promise<T> => {
    if (running === undefined) return start(own);
    next ??= running.then(() => start(own));
    return next;
  };
}
