import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findClusterPrograms } from './cluster-programs.js';
import { findMarkedProcesses, killProcesses } from './marked-processes.js';
import { countTests, plainOutput } from './vitest.js';

/** @typedef {import('./vitest.js').Counts} Counts */

/**
 * Runs the service on a cluster of three Postgres servers, and kills the primary again and again. Needs Debian's packages,
 * and is skipped without them.
 *
 * @param {string[]} args for vitest
 * @returns {Promise<Counts>}
 */
export async function testOnCluster(args) {
  const { missing } = findClusterPrograms();
  if (missing.length > 0) {
    console.log(
      `The cluster test needs packages that are not installed: apt-get install ${missing.join(' ')}`,
    );
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), 'backoffice-cluster-'));
  // Under root, Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  // Ctrl-C ends vitest too, which then returns here. The servers run in sessions of their own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  try {
    const config = join('test', 'cluster', 'vitest.config.ts');
    const env = { ...plainOutput, BACKOFFICE_TEST_CLUSTER: folder };
    return await countTests(['--config', config, ...args], env);
  } finally {
    removeCluster(folder);
  }
}

/**
 * Kills what a run has started, and removes its folder.
 *
 * @param {string} folder
 */
function removeCluster(folder) {
  const find = () => findMarkedProcesses('BACKOFFICE_TEST_CLUSTER', folder);
  // One that is killed may just have started another.
  for (let pids = find(); pids.length > 0; pids = find()) killProcesses(pids);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
