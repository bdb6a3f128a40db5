import { grouped } from './number.ts';

/** How runs ended, and how many there are. */
interface Runs {
  readonly runs: number;
  readonly succeededRuns: number;
  readonly failedRuns: number;
  readonly cancelledRuns: number;
}

/** `, 1 running`, to say after how the others ended; nothing where all of them have ended. */
export function stillRunning({ runs, succeededRuns, failedRuns, cancelledRuns }: Runs): string {
  const running = runs - succeededRuns - failedRuns - cancelledRuns;
  return running > 0 ? `, ${grouped(running)} running` : '';
}
