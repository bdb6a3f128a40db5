import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownNode } from './node.js';
import { root } from './paths.js';
import { run } from './run.js';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 *
 * What we read of vitest's JSON report.
 * @typedef {object} Report
 * @property {number} [numPassedTests]
 * @property {number} [numFailedTests]
 * @property {number} [numPendingTests]
 * @property {number} [numTodoTests]
 * @property {ReportedFile[]} [testResults]
 *
 * @typedef {{ status: string, assertionResults: { status: string }[] }} ReportedFile
 */

/**
 * Environment variables that keep colours out of the output if it is not a terminal.
 * @type {Record<string, string | undefined>}
 */
export const plainOutput = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * Runs vitest, shows its output, and counts the tests.
 *
 * @param {string[]} args for vitest, such as the files to run
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Counts>}
 */
export async function countTests(args, env) {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-check-'));
  const reportFile = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const slowest = join(root, 'bin', 'launcher', 'slowest-files.js');
  const reporters = ['default', slowest, 'json'].map((name) => `--reporter=${name}`);
  try {
    const { code } = await run(
      ownNode,
      [vitest, 'run', ...reporters, `--outputFile.json=${reportFile}`, ...args],
      { env },
    );
    return tally(JSON.parse(await readFile(reportFile, 'utf8').catch(() => '{}')), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Counts the tests of a report. A failure outside a test (a file that does not load, an unhandled rejection, a run
 * without tests) counts as one failed test, so a broken run never looks green.
 *
 * @param {Report} report
 * @param {number} exitCode vitest's
 * @returns {Counts}
 */
export function tally(report, exitCode) {
  const passed = report.numPassedTests ?? 0;
  const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
  const failed = (report.numFailedTests ?? 0) + countFilesThatDidNotLoad(report.testResults ?? []);
  const brokeOutsideTests = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: brokeOutsideTests ? 1 : failed, skipped };
}

/**
 * Returns a line such as "12 passed, 0 failed", which ends every run.
 *
 * @param {Counts} counts
 */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {ReportedFile[]} files */
function countFilesThatDidNotLoad(files) {
  return files.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  }).length;
}
