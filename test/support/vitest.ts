import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../../bin/prepare/run.js';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What we read of vitest's JSON report. */
export interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
}

export type Environment = Record<string, string | undefined>;

/** Environment variables that keep colours out of the output if it is not a terminal. */
export const plainOutput: Environment = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * Runs vitest, shows its output, and counts the tests.
 *
 * @param args for vitest, such as the files to run
 */
export async function countTests(args: readonly string[], env: Environment): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-check-'));
  const reportFile = join(folder, 'report.json');
  const slowest = join(import.meta.dirname, 'setup', 'slowest-files.ts');
  const reporters = ['default', slowest, 'json'].map((name) => `--reporter=${name}`);
  try {
    const vitestArgs = ['run', ...reporters, `--outputFile.json=${reportFile}`, ...args];
    const { code } = await runTool('node_modules/vitest/vitest.mjs', vitestArgs, {
      env: { ...plainOutput, ...env },
    });
    return tally(JSON.parse(await readFile(reportFile, 'utf8').catch(() => '{}')), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Counts the tests of a report. A failure outside a test (a file that does not load, an unhandled rejection, a run without
 * tests) counts as a failed test, so a broken run never looks green.
 *
 * @param exitCode vitest's
 */
export function tally(report: Report, exitCode: number): Counts {
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
  const isBroken = exitCode !== 0 || numPassedTests === 0;
  return {
    passed: numPassedTests,
    failed: numFailedTests === 0 && isBroken ? 1 : numFailedTests,
    skipped: numPendingTests + numTodoTests,
  };
}

/** Returns a line such as "12 passed, 0 failed", which ends every run. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
