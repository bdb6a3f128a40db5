/** Says whether what was begun with it still counts: no load was begun since. */
export type IsStill = () => boolean;

/** The loads of a list, each of which makes those before it needless, and what else is asked of the list meanwhile. */
export function createLoads() {
  let begun = 0;
  let newest = Promise.resolve();
  let next: Promise<void> | undefined;
  const watch = (): IsStill => {
    const mine = begun;
    return () => mine === begun;
  };
  const run = async (work: (isStill: IsStill) => Promise<void>): Promise<void> => {
    const isStill = watch();
    await work(isStill);
    if (!isStill()) await newest;
  };
  return {
    watch,
    /** Whoever waits for work that a later load has made needless waits for that load: then the rows are there. */
    run,
    begin(load: (isStill: IsStill) => Promise<void>): Promise<void> {
      begun += 1;
      newest = run(load);
      return newest;
    },
    hasBegun: () => begun > 0,
    /** Resolves when the newest load has ended, well or not. */
    ended: () => newest,
    /** Does something after the newest load, once for all who ask for it until then. */
    afterwards(work: () => Promise<void>): Promise<void> {
      next ??= newest.then(() => {
        next = undefined;
        return work();
      });
      return next;
    },
  };
}
