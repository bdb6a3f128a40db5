import pg from 'pg';
import { type DatabaseTimeouts, defaultDatabaseTimeouts } from './pool.ts';

export type PlainPool = pg.Pool;

export interface PlainPoolOptions {
  readonly databaseUrl: string;
  readonly onConnectionError: (error: Error) => void;
  readonly maxConnections?: number;
  readonly timeouts?: DatabaseTimeouts | undefined;
}

/** The maximum number of connections of the pool. */
export const maxPlainPoolConnections = 10;

/**
 * Opens a pool of plain `pg` connections, for the session query of each request and for the session store, a library
 * with its own SQL. It connects on the first query.
 */
export function openPlainPool(options: PlainPoolOptions): PlainPool {
  const { databaseUrl, onConnectionError, maxConnections = maxPlainPoolConnections } = options;
  const { timeouts = defaultDatabaseTimeouts } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: timeouts.connectionMs,
    statement_timeout: timeouts.statementMs,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', onConnectionError);
  return pool;
}
