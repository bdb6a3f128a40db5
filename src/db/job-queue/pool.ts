import type { PoolClient } from 'pg';
import { openPlainPool, type PlainPool } from '../connection/plain-pool.ts';

/** Where graphile-worker, the library of the job queue, keeps its tables. */
export const jobSchema = 'graphile_worker';

/**
 * One listens, the others look for jobs and end them: graphile-worker wants one for each job at once. What a job itself
 * asks goes over the service's connections.
 */
export const maxJobConnections = 5;

/** The connections of the job queue. They are made when they are needed. */
export function openJobPool(databaseUrl: string, onConnectionError: (error: Error) => void): PlainPool {
  const pool = openPlainPool({ databaseUrl, onConnectionError, maxConnections: maxJobConnections });
  // The pool hears of a connection that breaks while it is idle; the one that listens never is.
  pool.on('connect', (client) => client.on('error', onConnectionError));
  takeBackOnce(pool);
  return pool;
}

type Release = (error?: Error | boolean) => void;
type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release?: Release) => void;

/**
 * Lets a connection be given back twice, the second time for nothing. graphile-worker 0.18.0 does so with the one that
 * listens where that breaks while the worker stops; the pool would throw, nobody would catch it, and the process would
 * end. A version that gives it back once needs none of this.
 */
function takeBackOnce(pool: PlainPool): void {
  const connect = pool.connect.bind(pool) as { (): Promise<PoolClient>; (given: ConnectCallback): void };
  const connectOnce = (given?: ConnectCallback) => {
    if (given === undefined) return connect();
    connect((error, client, release) => {
      let isBack = false;
      given(error, client, (broken) => {
        if (isBack) return;
        isBack = true;
        // A pool that has ended gives neither a connection nor this.
        release?.(broken);
      });
    });
  };
  pool.connect = connectOnce as PlainPool['connect'];
}
