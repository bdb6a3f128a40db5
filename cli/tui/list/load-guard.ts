/** Reports whether the work that it was created for is still current: no load has started since. */
export type IsCurrent = () => boolean;

/** Tracks the loads of a list. Each load makes the ones before it obsolete, and other requests of that time too. */
export function createLoadGuard() {
  let started = 0;
  let newest = Promise.resolve();
  let next: Promise<void> | undefined;
  const watch = (): IsCurrent => {
    const mine = started;
    return () => mine === started;
  };
  const run = async (work: (isCurrent: IsCurrent) => Promise<void>): Promise<void> => {
    const isCurrent = watch();
    await work(isCurrent);
    if (!isCurrent()) await newest;
  };
  return {
    watch,
    /** Runs the work. If a load makes it obsolete, also waits for that load, so that the rows are there afterwards. */
    run,
    /** Starts a load, which makes all earlier work obsolete. */
    start(load: (isCurrent: IsCurrent) => Promise<void>): Promise<void> {
      started += 1;
      newest = run(load);
      return newest;
    },
    hasStarted: () => started > 0,
    /** Resolves when the newest load has ended, successfully or not. */
    ended: () => newest,
    /** Does the work once after the newest load, for all callers that ask for it until then. */
    afterwards(work: () => Promise<void>): Promise<void> {
      next ??= newest.then(() => {
        next = undefined;
        return work();
      });
      return next;
    },
  };
}
