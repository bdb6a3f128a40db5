import pg from 'pg';

export type SmallPool = pg.Pool;

export interface SmallPoolOptions {
  readonly databaseUrl: string;
  readonly onConnectionError: (error: Error) => void;
}

/** How many connections it holds at most. */
export const smallPoolConnections = 4;

/**
 * A pool of a few plain `pg` connections, for the libraries that bring SQL of their own: the session store and the
 * limits of sign-in. It connects at the first query.
 */
export function openSmallPool({ databaseUrl, onConnectionError }: SmallPoolOptions): SmallPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: smallPoolConnections,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 8_000,
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', onConnectionError);
  return pool;
}
