import { grouped } from './number.ts';

/** The number of runs, and of those that ended in each way. */
interface Runs {
  readonly runs: number;
  readonly succeededRuns: number;
  readonly failedRuns: number;
  readonly cancelledRuns: number;
}

/** Returns `, 1 running`, to append to the counts of ended runs; empty if all have ended. */
export function stillRunning({ runs, succeededRuns, failedRuns, cancelledRuns }: Runs): string {
  const running = runs - succeededRuns - failedRuns - cancelledRuns;
  return running > 0 ? `, ${grouped(running)} running` : '';
}
