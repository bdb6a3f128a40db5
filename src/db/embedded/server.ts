import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { wait } from '../../shared/waiting/wait.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lastLogLine, logFile, logSize, rotateLog } from './log-file.ts';
import { isPostmaster, readPostmaster, removeStalePostmasterFile } from './postmaster-file.ts';
import { launchProgram } from './run-program.ts';

const pollIntervalMs = 30;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 60_000;
/** It accepts connections; a standby, for reads. */
const readyStatuses = ['ready', 'standby'];

/** The server did not start. If `isTemporary`, trying again later may help. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly isTemporary: boolean;
  constructor(message: string) {
    super(message);
    this.isTemporary = /pre-existing shared memory block|lock file ".*" already exists/.test(message);
  }
}

/**
 * Starts the server of a cluster on a port of 127.0.0.1 and returns when it accepts connections. The server outlives
 * this process. Two starts at once are safe: Postgres' own lock file lets only one through.
 *
 * `pg_ctl start` is not used because it passes its paths through a shell unquoted.
 *
 * @throws ServerStartError with the last line of the server's log; an AbortError if `signal` aborts, which also stops
 *   the half-started server.
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
      // The shell runs as the user that Postgres runs as, so the log file belongs to that user too.
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

  // Only during the start: afterwards other processes may use the server.
  const interrupt = () => child.kill('SIGINT');
  signal.addEventListener('abort', interrupt);
  try {
    await waitUntilReady(child, cluster, logStart);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function waitUntilReady(child: ChildProcess, cluster: Cluster, logStart: number): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const postmaster = await readPostmaster(join(cluster.home, 'data'));
    if (postmaster?.pid === child.pid && readyStatuses.includes(postmaster?.status ?? '')) return;
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new ServerStartError(await lastLogLine(cluster, logStart));
    }
    await wait(pollIntervalMs);
  }
  throw new ServerStartError('it is still recovering after a minute, try again later');
}

/**
 * Stops the server, which ends all its sessions, and returns when it has stopped.
 *
 * `pg_ctl stop` is not used because it watches the file `postmaster.pid`, which may already belong to the next server.
 *
 * @throws EmbeddedPostgresError if it has not stopped within a minute.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const data = join(cluster.home, 'data');
  const postmaster = await readPostmaster(data);
  if (!postmaster) return;
  const deadline = performance.now() + stopTimeoutMs;
  // Check the process first: the number in a stale file may belong to another program.
  if (await isPostmaster(postmaster.pid, data)) process.kill(postmaster.pid, 'SIGINT');
  while (await isPostmaster(postmaster.pid, data)) {
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded Postgres did not stop within a minute. See ${logFile(cluster)}.`,
      );
    }
    await wait(pollIntervalMs);
  }
}
