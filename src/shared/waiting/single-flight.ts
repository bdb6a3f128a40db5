export interface SingleFlight<T> {
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
