import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, countTests } from '../../support/vitest.ts';
import { findMarkedProcesses, killProcesses } from './marked-processes.ts';
import { findClusterPrograms } from './programs.ts';

/**
 * Runs the service on a cluster of three Postgres servers, and kills the primary again and again. Needs Debian's packages,
 * and is skipped without them.
 *
 * @param args for vitest
 */
export async function testOnCluster(args: readonly string[]): Promise<Counts> {
  const { missing } = findClusterPrograms();
  if (missing.length > 0) {
    const install = `apt-get install ${missing.join(' ')}`;
    console.log(`The cluster test needs packages that are not installed: ${install}`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), 'backoffice-cluster-'));
  // Under root, Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  // Ctrl-C ends vitest too, which then returns here. The servers run in sessions of their own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  try {
    const config = join('test', 'cluster', 'vitest.config.ts');
    return await countTests(['--config', config, ...args], { BACKOFFICE_TEST_CLUSTER: folder });
  } finally {
    removeCluster(folder);
  }
}

/** Kills what a run has started, and removes its folder. */
function removeCluster(folder: string): void {
  const find = () => findMarkedProcesses('BACKOFFICE_TEST_CLUSTER', folder);
  // One that is killed may just have started another.
  for (let pids = find(); pids.length > 0; pids = find()) killProcesses(pids);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
