import { Pool, type PoolClient } from 'pg';
import type { PoolLoad } from '../connection/connections.ts';
import {
  answerDelayMs,
  defaultTimeouts,
  idleInTransactionTimeoutMs,
  keepAliveMs,
} from '../connection/driver.ts';

/** The schema of graphile-worker, the library of the job queue. */
export const jobSchema = 'graphile_worker';

/**
 * One connection listens, the others fetch and complete jobs: graphile-worker needs one for each concurrent job. The
 * queries of a job itself run on the connections of the service.
 */
export const maxJobConnections = 5;

/** Opens the pool of the job queue, whose library has SQL of its own. It connects on the first query. */
export function openJobPool(databaseUrl: string, onConnectionError: (error: Error) => void): Pool {
  const { connectionMs, statementMs } = defaultTimeouts;
  const pool = new Pool({
    connectionString: databaseUrl,
    max: maxJobConnections,
    connectionTimeoutMillis: connectionMs,
    statement_timeout: statementMs,
    // A server that is alive cancels the statement first. If it isn't, the connection is unusable.
    query_timeout: statementMs + answerDelayMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', onConnectionError);
  // The pool reports only idle connections that break, and the one that listens is never idle.
  pool.on('connect', (client) => client.on('error', onConnectionError));
  allowSecondRelease(pool);
  return pool;
}

/** Returns the load of the pool of the job queue. */
export function jobPoolLoad({ options, totalCount, idleCount, waitingCount }: Pool): PoolLoad {
  return { max: options.max, open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount };
}

type Release = (error?: Error | boolean) => void;
type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release?: Release) => void;

/**
 * Ignores the second release of a connection. graphile-worker 0.18.0 releases the connection that listens twice if it
 * breaks while the worker stops. The pool would throw, uncaught, and the process would end. Remove this once the
 * library releases it only once.
 */
function allowSecondRelease(pool: Pool): void {
  const connect = pool.connect.bind(pool) as { (): Promise<PoolClient>; (callback: ConnectCallback): void };
  const connectWithSafeRelease = (callback?: ConnectCallback) => {
    if (callback === undefined) return connect();
    connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (broken) => {
        if (isReleased) return;
        isReleased = true;
        // A pool that has ended passes neither a connection nor a release function.
        release?.(broken);
      });
    });
  };
  pool.connect = connectWithSafeRelease as Pool['connect'];
}
