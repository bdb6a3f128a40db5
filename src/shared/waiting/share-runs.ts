import { atMost } from './wait.ts';

/** Runs work under a key, or gets the result of a run that another caller has started. */
export type ShareRuns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A run of the work of a key. */
interface Run {
  /** Resolves when the run has ended, whether it failed or not. */
  readonly ended: Promise<void>;
  /** The run after this one. */
  next: Promise<unknown> | undefined;
}

/**
 * Returns a function that runs the work of a key once at a time. All calls that arrive meanwhile share the next run, which
 * begins after each of them has arrived. A call runs the work by itself if the shared run fails or takes too long: it may
 * depend on who has started it.
 *
 * The work of a key must be the same in all calls.
 */
export function shareRuns(maxWaitMs: number): ShareRuns {
  const latest = new Map<string, Run>();

  function start<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    const forgetIfLast = () => {
      if (run.next === undefined) latest.delete(key);
    };
    const run: Run = { ended: running.then(forgetIfLast, forgetIfLast), next: undefined };
    latest.set(key, run);
    return running;
  }

  return async <T>(key: string, work: () => Promise<T>) => {
    const run = latest.get(key);
    if (run === undefined) return await start(key, work);
    run.next ??= run.ended.then(() => start(key, work));
    const shared = run.next.then(
      (result) => ({ result: result as T }),
      () => undefined,
    );
    const settled = await atMost(maxWaitMs, shared);
    return settled === undefined ? await work() : settled.result;
  };
}
