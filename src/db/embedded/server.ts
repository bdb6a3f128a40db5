import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lastLogLine, logFile, logSize, rotateLog } from './log-file.ts';
import { isPostmaster, readPostmaster, removeStalePostmasterFile } from './postmaster-file.ts';
import { launchProgram } from './run-program.ts';

const POLL_MS = 30;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;

/** The server did not come up. `passing` says that waiting and another try may well help. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly isTemporary: boolean;
  constructor(message: string) {
    super(message);
    this.isTemporary = /pre-existing shared memory block|lock file ".*" already exists/.test(message);
  }
}

/**
 * Starts the server of a cluster on a port of 127.0.0.1 and returns when it takes connections. It outlives
 * this process. Two starts at once are safe: Postgres's own lock file lets one through.
 *
 * `pg_ctl start` is not used because it passes its paths through a shell unquoted.
 *
 * @throws ServerStartError with the last line that the server logged; an AbortError when `signal` aborts,
 *   which shuts the half-started server down.
 */
export async function startServer(cluster: Cluster, port: number, signal: AbortSignal): Promise<void> {
  const data = join(cluster.home, 'data');
  await rotateLog(cluster);
  const logStart = await logSize(cluster);
  await removeStalePostmasterFile(data);

  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...(cluster.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const child = launchProgram(
    '/bin/sh',
    [
      // The shell runs as the database's user, so the log file is that user's too.
      '-c',
      'umask 077; exec "$0" "$@" >>"$LOG" 2>&1',
      join(cluster.binaries.directory, 'bin', 'postgres'),
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { user: cluster.user, stdio: 'ignore', environment: { LOG: logFile(cluster) } },
  );
  child.unref();

  // Only while it starts: from then on others may use it.
  const interrupt = () => child.kill('SIGINT');
  signal.addEventListener('abort', interrupt);
  try {
    await untilReady(child, cluster, logStart);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function untilReady(child: ChildProcess, cluster: Cluster, logStart: number): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const postmaster = await readPostmaster(join(cluster.home, 'data'));
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return;
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new ServerStartError(await lastLogLine(cluster, logStart));
    }
    await sleep(POLL_MS);
  }
  throw new ServerStartError('it has been recovering for a minute, try again later');
}

/**
 * Stops the server, ending the sessions of everybody, and returns when it is down.
 *
 * `pg_ctl stop` is not used because it watches the file `postmaster.pid`, which may be the next server's
 * already.
 *
 * @throws EmbeddedPostgresError when it is not down within a minute.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const data = join(cluster.home, 'data');
  const postmaster = await readPostmaster(data);
  if (!postmaster) return;
  const deadline = Date.now() + STOP_LIMIT_MS;
  // Without the look at the process, a number out of a stale file might hit another program.
  if (await isPostmaster(postmaster.pid, data)) process.kill(postmaster.pid, 'SIGINT');
  while (await isPostmaster(postmaster.pid, data)) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded Postgres does not stop within a minute: see ${logFile(cluster)}.`,
      );
    }
    await sleep(POLL_MS);
  }
}
