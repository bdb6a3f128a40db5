import { join } from 'node:path';
import { type Client, DatabaseError } from 'pg';
import { createBackoff, wait } from '../../shared/waiting.ts';
import { oneRow, ownConnection } from '../connection/own-connection.ts';
import { type Cluster, readSuperuserPassword, restorePasswordAdvice } from './cluster.ts';
import { ensureRoles } from './ensure-roles.ts';
import { EmbeddedPostgresError } from './programs.ts';
import { embeddedUrl, findPostmaster, logFile, ServerStartError, startServer, stopServer } from './server.ts';

const joinTimeoutMs = 60_000;
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
  const backoff = createBackoff({ firstMs: 30, maxMs: 1_500, jitter: 2 / 3 });
  let reason = 'it does not accept connections';
  let permanentFailures = 0;
  for (;;) {
    try {
      const membership = await claimIfRunning(cluster);
      if (membership) return membership;
      if (membership === null) {
        await startServer(cluster, signal, port);
        continue;
      }
    } catch (error) {
      if (!(error instanceof ServerStartError)) throw error;
      reason = error.message;
      permanentFailures += error.isTemporary ? 0 : 1;
    }
    if (permanentFailures >= maxPermanentFailures || performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded Postgres did not start: ${reason} (log: ${logFile(cluster)}).`,
      );
    }
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
  const postmaster = await findPostmaster(join(cluster.home, 'data'));
  if (postmaster === undefined) return null;
  if (postmaster.status !== 'ready') return undefined;
  return claimServer(cluster, postmaster.port);
}

/**
 * The claim of one process on the running server: a connection that holds a shared advisory lock.
 *
 * The process that can take the lock exclusively is the last member and stops the server. A killed process loses its
 * connection and with it the claim, so nothing has to be cleaned up.
 */
export interface Membership {
  readonly port: number;
  /** Resolves when the connection, and with it the claim, is lost. Never rejects. */
  readonly lost: Promise<void>;
  /** Gives up the claim. If no other process has one, stops the server, and keeps others from joining meanwhile. */
  leave(): Promise<void>;
}

// Advisory locks are per database. This one is in `postgres`, so it cannot clash with those of the service.
const lockKey = 4_711_020_304;

/**
 * Claims the server on this port and makes sure that the database `backoffice` and its roles exist.
 *
 * @returns undefined if the server is unavailable now: it is starting or stopping, or its last member is stopping it.
 * @throws EmbeddedPostgresError if it rejects the connection for good, such as after a change of the password.
 */
async function claimServer(cluster: Cluster, port: number): Promise<Membership | undefined> {
  const client = ownConnection({
    connectionString: embeddedUrl(port, 'backoffice', await readSuperuserPassword(cluster), 'postgres'),
    application_name: 'backoffice membership',
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  for (const event of ['end', 'error'] as const) client.on(event, () => lose());
  const disconnect = async () => {
    await Promise.race([client.end().catch(() => undefined), lost]);
  };
  try {
    await client.connect();
    if (await ask(client, 'pg_try_advisory_lock_shared($1)')) {
      await ensureRoles(client, cluster, port);
      return {
        port,
        lost,
        async leave() {
          // If this fails, the server has stopped or is stopping.
          const isLast = await ask(client, lockAlone).catch(() => false);
          try {
            if (isLast) await stopServer(cluster);
          } finally {
            await disconnect();
          }
        },
      };
    }
    await disconnect();
    return undefined;
  } catch (error) {
    await disconnect();
    if (error instanceof EmbeddedPostgresError) throw error;
    if (isTemporary(error)) return undefined;
    throw new EmbeddedPostgresError(
      `The embedded Postgres rejected the connection (${error instanceof Error ? error.message : error}). ${restorePasswordAdvice}`,
    );
  }
}

const lockAlone = 'pg_advisory_unlock_shared($1), pg_try_advisory_lock($1)';

/** Calls functions of the lock, and returns what the last one answers. */
async function ask(client: Client, calls: string): Promise<boolean> {
  const { answer } = await oneRow<{ answer: boolean }>(client, `select ${calls} as answer`, [lockKey]);
  return answer;
}

function isTemporary(error: unknown): boolean {
  // Any other error means that the connection was refused or broke.
  if (!(error instanceof DatabaseError)) return true;
  // 57P01-57P03: shutting down or starting up. 55006: another command is creating the database.
  return ['57P01', '57P02', '57P03', '55006'].includes(error.code ?? '');
}
