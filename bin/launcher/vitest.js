import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownNode, root } from './paths.js';
import { run } from './run.js';

/**
 * Runs vitest, with its own output shown, and counts the tests. What fails outside a test (a file that does
 * not load, an unhandled rejection, a run without any test) counts as one failure, so a broken run is never
 * all green.
 *
 * @param {string[]} args for vitest, such as the paths to run
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function countTests(args, env) {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-check-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const { code } = await run(ownNode, [vitest, 'run', ...reporters, ...args], { env });
    return tally(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tally(report, code) {
  const passed = report.numPassedTests ?? 0;
  const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
  const failed = (report.numFailedTests ?? 0) + filesThatDidNotLoad(report.testResults ?? []);
  const brokeOtherwise = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: brokeOtherwise ? 1 : failed, skipped };
}

function filesThatDidNotLoad(files) {
  return files.filter((file) => {
    const failedTests = file.assertionResults.filter((test) => test.status === 'failed');
    return file.status === 'failed' && failedTests.length === 0;
  }).length;
}
