import pg from 'pg';

export type PlainPool = pg.Pool;

export interface PlainPoolOptions {
  readonly databaseUrl: string;
  readonly onConnectionError: (error: Error) => void;
  readonly maxConnections?: number;
}

/** How many connections it holds at most. */
export const maxPlainPoolConnections = 10;

/**
 * A pool of plain `pg` connections, for the query of each request's session, and for the session store, a library that
 * brings SQL of its own. It connects at the first query.
 */
export function openPlainPool(options: PlainPoolOptions): PlainPool {
  const { databaseUrl, onConnectionError, maxConnections = maxPlainPoolConnections } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 8_000,
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', onConnectionError);
  return pool;
}
