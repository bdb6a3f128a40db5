import type { Lend } from './host.ts';

/** Gives the terminal away for a while: to the shell, or to a program such as an editor. */
export interface Loan {
  readonly lend: Lend;
  isLent(): boolean;
}

/**
 * @param suspend - puts the terminal back while the work runs, then takes it again
 * @param onReturn - draws over what the program has left
 */
export function createLoan(suspend: Lend, onReturn: () => void): Loan {
  let isLent = false;
  return {
    isLent: () => isLent,
    async lend(work) {
      isLent = true;
      const returnSignals = takeInterrupts();
      try {
        await suspend(work);
      } finally {
        returnSignals();
        isLent = false;
        // Its size may have changed, which only the job in the foreground is told.
        process.kill(process.pid, 'SIGWINCH');
        onReturn();
      }
    },
  };
}

/** Ctrl-C is meant for the program that has the terminal. Returns a function that lets it end this process again. */
function takeInterrupts(): () => void {
  const listeners = process.listeners('SIGINT');
  const ignore = () => {};
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
