import type { Launcher } from './launcher.ts';

export interface JobControlOptions {
  /** Puts the terminal back while the work runs, then takes it again. */
  readonly lend: (work: () => Promise<void>) => Promise<void>;
  /** Reports whether the terminal is lent already, such as to an editor. */
  readonly isLent: () => boolean;
  readonly launcher: Pick<Launcher, 'isThere' | 'stopJob'>;
  /** Runs when the dashboard has the terminal again. */
  readonly onResumed: () => void;
}

/** Suspends the dashboard as shells expect, on Ctrl-Z and on SIGTSTP, and lets it go on after SIGCONT. */
export interface JobControl {
  /** Resolves when the dashboard goes on: with false if there is no shell, so that nothing stopped. */
  suspend(): Promise<boolean>;
  end(): void;
}

/** A shell that stops and continues a job takes longer, because a person types in between. */
const shortestStopMs = 50;

export function createJobControl({ lend, isLent, launcher, onResumed }: JobControlOptions): JobControl {
  let suspended: Promise<boolean> | undefined;

  const stopJob = async () => {
    // Without handlers, the signals stop and continue this process as any other.
    ignore();
    try {
      // The whole group: the shell waits for the process that it started, which may be a launcher or a script.
      if (launcher.isThere()) await launcher.stopJob();
      else process.kill(0, 'SIGTSTP');
    } finally {
      listen();
    }
  };
  const suspendOnce = async () => {
    const stoppedAt = performance.now();
    if (isLent()) await stopJob();
    else await lend(stopJob);
    const isResumed = performance.now() - stoppedAt > shortestStopMs;
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
