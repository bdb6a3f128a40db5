import { openPlainPool, type PlainPool } from './plain-pool.ts';

/** Where graphile-worker, the library of the job queue, keeps its tables. */
export const jobSchema = 'graphile_worker';

/**
 * One listens, the others look for jobs and end them: graphile-worker wants one for each job at once. What a job itself
 * asks goes over the service's connections.
 */
export const jobConnections = 5;

/** The connections of the job queue. They are made when they are needed. */
export function openJobPool(databaseUrl: string, onConnectionError: (error: Error) => void): PlainPool {
  const pool = openPlainPool({ databaseUrl, onConnectionError, connections: jobConnections });
  // The pool hears of a connection that breaks while it is idle; the one that listens never is.
  pool.on('connect', (client) => client.on('error', onConnectionError));
  return pool;
}
