export interface JobControlOptions {
  /** Puts the terminal back while the work runs, then takes it again. */
  readonly lend: (work: () => Promise<void>) => Promise<void>;
  /** Reports whether the terminal is lent already, such as to an editor. */
  readonly isLent: () => boolean;
  /** Runs when the dashboard has the terminal again. */
  readonly onResumed: () => void;
}

/** Suspends the dashboard as shells expect, on Ctrl-Z and on SIGTSTP, and lets it go on after SIGCONT. */
export interface JobControl {
  /** Resolves when the dashboard goes on: with false if there is no shell, so that nothing stopped. */
  suspend(): Promise<boolean>;
  end(): void;
}

/** The SIGCONT of a shell arrives sooner, counted from when the process runs again. */
const longestSignalMs = 300;

export function createJobControl({ lend, isLent, onResumed }: JobControlOptions): JobControl {
  let suspended: Promise<boolean> | undefined;

  /** Stops the job, and returns whether a shell has continued it. Without one, nothing stops. */
  const stopJob = async () => {
    // Without a handler, SIGTSTP stops this process as any other.
    ignore();
    const isContinued = nextContinue();
    // The whole group: the shell waits for the process that it started, which may be a script.
    process.kill(0, 'SIGTSTP');
    return await isContinued().finally(listen);
  };
  const suspendOnce = async () => {
    let isResumed = false;
    const stop = async () => {
      isResumed = await stopJob();
    };
    if (isLent()) await stop();
    else await lend(stop);
    if (isResumed) onResumed();
    return isResumed;
  };
  const suspend = () => {
    suspended ??= suspendOnce().finally(() => {
      suspended = undefined;
    });
    return suspended;
  };
  /** After a SIGSTOP, which cannot be handled: the shell has used the terminal, and left it in its own state. */
  const retake = async () => {
    if (isLent()) return;
    await lend(async () => {});
    onResumed();
  };
  const onStop = () => void suspend();
  const onContinue = () => void retake();
  const listen = () => {
    process.on('SIGTSTP', onStop);
    process.on('SIGCONT', onContinue);
  };
  const ignore = () => {
    process.off('SIGTSTP', onStop);
    process.off('SIGCONT', onContinue);
  };
  listen();
  return { suspend, end: ignore };
}

/** Listens for a SIGCONT from now on. The returned function tells whether one has come, or comes soon. */
function nextContinue(): () => Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onContinue = () => resolve(true);
  process.once('SIGCONT', onContinue);
  return async () => {
    // After what has arrived meanwhile: a process that runs late would see its timer before the signal.
    const timer = setTimeout(() => setImmediate(resolve, false), longestSignalMs);
    return await promise.finally(() => {
      clearTimeout(timer);
      process.off('SIGCONT', onContinue);
    });
  };
}
