import type { ChildProcess } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { isAlive } from '../../files/is-alive.ts';
import { wait } from '../../shared/waiting.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, launchProgram, reasonIn, runProgram } from './programs.ts';
import { findKeptSecret, passwordFiles, runtimeRole } from './secrets.ts';

const pollIntervalMs = 30;
const timeoutMs = 60_000;

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
 * Starts the server of a cluster on 127.0.0.1, on the given port or a free one, and returns when it accepts connections.
 * The server outlives this process. Two starts at once are safe: Postgres' own lock file lets only one through.
 *
 * `pg_ctl start` is not used because it passes its paths through a shell unquoted.
 *
 * @throws ServerStartError with the last line of the server's log; an AbortError if `signal` aborts, which also stops
 *   the half-started server.
 */
export async function startServer(cluster: Cluster, signal: AbortSignal, port?: number): Promise<void> {
  const data = join(cluster.home, 'data');
  const logStart = await rotateLog(cluster);
  await removeStalePostmasterFile(data);

  const settings = {
    // Prefers the last port: members that outlived the server still have a URL with it.
    port: port ?? (await findFreePort(await readLastPort(data))),
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
    cluster.user,
    'ignore',
    { LOG: logFile(cluster) },
  );
  child.unref();

  // Only during the start: afterwards other processes may use the server.
  using _ = addAbortListener(signal, () => child.kill('SIGINT'));
  try {
    await waitUntilReady(child, cluster, logStart);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function waitUntilReady(child: ChildProcess, cluster: Cluster, logStart: number): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const postmaster = await readPostmaster(join(cluster.home, 'data'));
    if (postmaster?.pid === child.pid && /^(ready|standby)$/.test(postmaster?.status ?? '')) return;
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      const log = await readFile(logFile(cluster)).catch(() => undefined);
      // What is before the start is about earlier ones.
      throw new ServerStartError(reasonIn(log?.toString('utf8', logStart) ?? '') || 'it logged nothing');
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
  const postmaster = await findPostmaster(data);
  if (!postmaster) return;
  const deadline = performance.now() + timeoutMs;
  process.kill(postmaster.pid, 'SIGINT');
  while (await isPostmaster(postmaster.pid, data)) {
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded Postgres did not stop within a minute. See ${logFile(cluster)}.`,
      );
    }
    await wait(pollIntervalMs);
  }
}

/** What a running server writes to `postmaster.pid`. */
interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `ready`, `standby`, `stopping`; empty while the file is being written. */
  status: string;
}

/** Reads `postmaster.pid` of a cluster's data folder. Returns undefined if there is none. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!pid || !port) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? '' };
}

/** Returns what the running server of a data folder has written, or undefined if none runs. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(data);
  return postmaster && (await isPostmaster(postmaster.pid, data)) ? postmaster : undefined;
}

/**
 * Reports whether the process `pid` is the server of this data folder. The number alone proves nothing: after a reboot
 * or a restart of the container, it may belong to another program.
 */
async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const started = await commandLine(pid);
  // If the system does not show the command line, trusting the file is safe. A zombie's command line is empty.
  return started === undefined || started.includes(data);
}

/**
 * Removes a `postmaster.pid` whose number now belongs to another program, because Postgres would take that program for
 * a running server. Postgres handles all other stale files.
 */
async function removeStalePostmasterFile(data: string): Promise<void> {
  const stale = await readPostmaster(data);
  if (!stale || !isAlive(stale.pid) || (await isPostmaster(stale.pid, data))) return;
  const file = join(data, 'postmaster.pid');
  const aside = `${file}.stale-${crypto.randomUUID()}`;
  await rename(file, aside);
  // Put the file back if another command started the server between the check and the rename.
  const moved = Number((await readFile(aside, 'utf8')).split('\n')[0]);
  if (moved === stale.pid) await rm(aside);
  else await rename(aside, file);
}

/** Returns the port of this cluster's last start, if any. Postgres keeps its arguments after it stops. */
async function readLastPort(data: string): Promise<number | undefined> {
  const started = await readFile(join(data, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"port=(\d+)"/.exec(started)?.[1];
  return port ? Number(port) : undefined;
}

/** Returns a free port of 127.0.0.1: `preferred` if nothing listens on it. */
export async function findFreePort(preferred = 0): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (preferred === 0) throw error;
    return await findFreePort();
  } finally {
    server.close();
  }
}

async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return (await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).output;
}

const maxLogBytes = 5_000_000;

/** Returns the path of the server's log. */
export const logFile = ({ home }: Cluster) => join(home, 'server.log');

/**
 * Renames a large log, replacing the previous one. Called before each start, because Postgres only appends. Returns the size
 * of the log in bytes.
 */
async function rotateLog(cluster: Cluster): Promise<number> {
  const file = logFile(cluster);
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size <= maxLogBytes) return size;
  // If two commands rotate at once, the second one finds nothing to rename.
  await rename(file, `${file}.1`).catch(() => undefined);
  return 0;
}

/**
 * Returns the URL of the embedded database, for the role that the service runs as, if its server is running. Use it for
 * queries that must neither start the server nor keep it running. The server may stop at any moment.
 */
export async function runningPostgresUrl(dataDirectory: string): Promise<string | undefined> {
  const home = join(dataDirectory, 'postgres');
  const postmaster = await findPostmaster(join(home, 'data'));
  if (postmaster?.status !== 'ready') return undefined;
  const password = await findKeptSecret(home, passwordFiles[runtimeRole]);
  return password === undefined ? undefined : embeddedUrl(postmaster.port, runtimeRole, password);
}

/**
 * What `pg` would otherwise take from PGSSLMODE, PGSSLNEGOTIATION and PGOPTIONS, which the shell may have for another server.
 * It would also take PGOPTIONS instead of options that are empty.
 */
const ownParameters = 'sslmode=disable&sslnegotiation=postgres&options=-c%20client_encoding=UTF8';

/** Returns the URL of the embedded database, or of another one of its server, for a role. */
export const embeddedUrl = (port: number, role: string, password: string, database = 'backoffice') =>
  `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}?${ownParameters}`;
