import type { ChildProcess } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './error.ts';
import type { Cluster } from './initialise.ts';
import { readPostmaster, removeMistakablePostmaster } from './postmaster-file.ts';
import { launch, run } from './run.ts';

const LOG_LIMIT_BYTES = 5_000_000;
const POLL_MS = 30;
const START_LIMIT_MS = 60_000;

/** The server did not come up. `passing` says that waiting and another try may well help. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly passing: boolean;
  constructor(message: string) {
    super(message);
    this.passing = /pre-existing shared memory block|lock file ".*" already exists/.test(message);
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
  await removeMistakablePostmaster(data);

  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...(cluster.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const child = launch(
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
    await untilReady(child, cluster);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function untilReady(child: ChildProcess, cluster: Cluster): Promise<void> {
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
      throw new ServerStartError(await lastLogLine(cluster));
    }
    await sleep(POLL_MS);
  }
  throw new ServerStartError('it has been recovering for a minute, try again later');
}

/**
 * Stops the server, ending the sessions of everybody, and returns when it is down.
 *
 * @throws EmbeddedPostgresError when it is not down within a minute.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const { code, output } = await run(
    join(cluster.binaries.directory, 'bin', 'pg_ctl'),
    ['stop', '-D', join(cluster.home, 'data'), '-m', 'fast', '-w', '-t', '60', '-s'],
    cluster.user,
  );
  // Somebody else may have stopped it just before us, which is as good.
  if (code === 0 || !(await readPostmaster(join(cluster.home, 'data')))) return;
  throw new EmbeddedPostgresError(
    `The embedded Postgres does not stop (${output.split('\n').at(-1)}): see ${logFile(cluster)}.`,
  );
}

/** The file that the server logs to. */
export function logFile(cluster: Cluster): string {
  return join(cluster.home, 'server.log');
}

/** Asks the system for a port of 127.0.0.1; `preferred` comes back if nobody listens on it. */
export async function findFreePort(preferred = 0): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(preferred, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise.catch((error: unknown) => {
    if (preferred === 0) throw error;
    return findFreePort();
  });
}

async function rotateLog(cluster: Cluster): Promise<void> {
  const file = logFile(cluster);
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // Of two commands that rotate at once the second finds nothing left to move.
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`).catch(() => undefined);
}

async function lastLogLine(cluster: Cluster): Promise<string> {
  const tail = Buffer.alloc(4096);
  await using file = await open(logFile(cluster)).catch(() => undefined);
  if (!file) return 'it logged nothing';
  const { size } = await file.stat();
  const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(0, size - tail.length));
  const lines = tail.toString('utf8', 0, bytesRead).trim().split('\n');
  // Hints and "database system is shut down" follow the line that gives the reason.
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
}
