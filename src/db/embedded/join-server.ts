import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, readSuperuserPassword } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
import { logFile } from './log-file.ts';
import { claimServer, type Membership } from './membership.ts';
import { isPostmaster, readLastPort, readPostmaster } from './postmaster-file.ts';
import { ServerStartError, startServer } from './server.ts';

const LIMIT_MS = 60_000;
const LONGEST_PAUSE_MS = 1_000;
const HOPELESS_STARTS = 3;

/**
 * Claims the cluster's server, starting it where it does not run. Waits while somebody else starts or
 * stops it, and while the remains of a killed one go away.
 *
 * @param port where to start it; undefined means the port of last time, or else any free one.
 * @throws EmbeddedPostgresError, with the log file and the reason, after a minute, or at once when three
 *   starts failed for a reason that waiting does not mend; an AbortError when `signal` aborts.
 */
export async function joinServer(cluster: Cluster, signal: AbortSignal, port?: number): Promise<Membership> {
  const deadline = Date.now() + LIMIT_MS;
  let reason = 'it does not answer';
  let hopelessStarts = 0;
  for (let pause = 20; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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
      hopelessStarts += error.isTemporary ? 0 : 1;
    }
    if (hopelessStarts >= HOPELESS_STARTS || Date.now() > deadline) throw cannotStart(cluster, reason);
    // A random part keeps two processes from meeting at every try.
    await sleep(pause * (0.5 + Math.random()), undefined, { signal });
  }
}

/**
 * Claims the server if it runs.
 *
 * @returns null when no server runs, undefined when one does but cannot be entered now.
 */
export async function claimIfRunning(cluster: Cluster): Promise<Membership | undefined | null> {
  const data = join(cluster.home, 'data');
  const postmaster = await readPostmaster(data);
  if (!postmaster || !(await isPostmaster(postmaster.pid, data))) return null;
  if (postmaster.status !== 'ready') return undefined;
  return claimServer(postmaster.port, await readSuperuserPassword(cluster));
}

/** The last port first: members that survived the server's death still hold a URL with it. */
async function choosePort(cluster: Cluster): Promise<number> {
  return findFreePort(await readLastPort(join(cluster.home, 'data')));
}

function cannotStart(cluster: Cluster, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded Postgres does not start: ${reason} (its log is ${logFile(cluster)}).`,
  );
}
