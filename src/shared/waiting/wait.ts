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
 * Settles as the work does, or rejects with the given error if that takes longer than so many seconds. Each second is
 * waited for by itself: after this process was frozen itself, an answer that has arrived meanwhile is still read.
 */
export async function answerInTime<T>(seconds: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  const settled = work.then((result) => ({ result }));
  for (let second = 0; second < seconds; second++) {
    const answer = await atMost(1_000, settled);
    if (answer !== undefined) return answer.result;
  }
  throw onTimeout();
}

/** Settles as the work does, or rejects with the signal's reason if it aborts first. The work itself is not stopped. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
