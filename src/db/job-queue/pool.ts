import type { PoolClient } from 'pg';
import { type LoadedPool, openPlainPool, type PlainPool } from '../connection/plain-pool.ts';
import { defaultDatabaseTimeouts } from '../connection/pool.ts';

/** The schema of graphile-worker, the library of the job queue. */
export const jobSchema = 'graphile_worker';

/**
 * One connection listens, the others fetch and complete jobs: graphile-worker needs one for each concurrent job. The
 * queries of a job itself run on the connections of the service.
 */
export const maxJobConnections = 5;

/** Opens the pool of the job queue. It connects on the first query. */
export function openJobPool(databaseUrl: string, onConnectionError: (error: Error) => void): LoadedPool {
  // Nobody waits for an answer here.
  const timeouts = { ...defaultDatabaseTimeouts, lockMs: 0 };
  const pool = openPlainPool({ databaseUrl, onConnectionError, maxConnections: maxJobConnections, timeouts });
  // The pool reports only idle connections that break, and the one that listens is never idle.
  pool.on('connect', (client) => client.on('error', onConnectionError));
  allowSecondRelease(pool);
  return pool;
}

type Release = (error?: Error | boolean) => void;
type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release?: Release) => void;

/**
 * Ignores the second release of a connection. graphile-worker 0.18.0 releases the connection that listens twice if it
 * breaks while the worker stops. The pool would throw, uncaught, and the process would end. Remove this once the
 * library releases it only once.
 */
function allowSecondRelease(pool: PlainPool): void {
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
  pool.connect = connectWithSafeRelease as PlainPool['connect'];
}
