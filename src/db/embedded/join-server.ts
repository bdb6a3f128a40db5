import { join } from 'node:path';
import { createBackoff } from '../../shared/waiting/backoff.ts';
import { wait } from '../../shared/waiting/wait.ts';
import { type Cluster, readSuperuserPassword } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
import { logFile } from './log-file.ts';
import { claimServer, type Membership } from './membership.ts';
import { isPostmaster, readLastPort, readPostmaster } from './postmaster-file.ts';
import { readRolePasswords } from './role-passwords.ts';
import { ServerStartError, startServer } from './server.ts';

const joinTimeoutMs = 60_000;
const minRetryDelayMs = 30;
const maxRetryDelayMs = 1_500;
const maxPermanentFailures = 3;

/**
 * Claims the cluster's server, and starts it if it is not running. Waits while another process starts or stops it, and
 * while the remains of a killed one disappear.
 *
 * @param port - where to start it; undefined means the last port, or any free one if that is taken
 * @throws EmbeddedPostgresError, with the reason and the log file, after a minute, or after three failed starts that
 *   another attempt cannot fix; an AbortError if `signal` aborts
 */
export async function joinServer(cluster: Cluster, signal: AbortSignal, port?: number): Promise<Membership> {
  const deadline = performance.now() + joinTimeoutMs;
  // The jitter keeps two processes from colliding at every attempt.
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs, jitter: 2 / 3 });
  let reason = 'it does not accept connections';
  let permanentFailures = 0;
  for (;;) {
    try {
      const membership = await claimIfRunning(cluster);
      if (membership) return membership;
      if (membership === null) {
        await startServer(cluster, port ?? (await choosePort(cluster)), signal);
        continue;
      }
    } catch (error) {
      if (!(error instanceof ServerStartError)) throw error;
      reason = error.message;
      permanentFailures += error.isTemporary ? 0 : 1;
    }
    const isFinal = permanentFailures >= maxPermanentFailures || performance.now() > deadline;
    if (isFinal) throw startFailure(cluster, reason);
    await wait(backoff.next(), signal);
    signal.throwIfAborted();
  }
}

/**
 * Claims the server if it is running.
 *
 * @returns null if no server is running, undefined if one is running but cannot be claimed now
 */
export async function claimIfRunning(cluster: Cluster): Promise<Membership | undefined | null> {
  const data = join(cluster.home, 'data');
  const postmaster = await readPostmaster(data);
  if (!postmaster || !(await isPostmaster(postmaster.pid, data))) return null;
  if (postmaster.status !== 'ready') return undefined;
  const password = await readSuperuserPassword(cluster);
  return claimServer(postmaster.port, password, await readRolePasswords(cluster));
}

/** Prefers the last port: members that outlived the server still have a URL with it. */
async function choosePort(cluster: Cluster): Promise<number> {
  return findFreePort(await readLastPort(join(cluster.home, 'data')));
}

function startFailure(cluster: Cluster, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded Postgres did not start: ${reason} (log: ${logFile(cluster)}).`,
  );
}
