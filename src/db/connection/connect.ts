import type { DatabasePool } from 'slonik';
import { type Database, openPool, type Pool } from './pool.ts';

export interface Databases {
  /** The database that takes changes. */
  readonly primary: Pool;
  /** Where operations with `replica: true` read: a replica where one is configured, else the primary. */
  readonly replica: Database;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly databaseUrl: string;
  readonly databaseReadUrl?: string | undefined;
  readonly poolSize?: number;
  /** Told of each connection that breaks while no query is on it. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Connects to the database, at the first query. While it cannot be reached every query rejects, and each one tries
 * again, so the service starts before its database does and recovers by itself.
 */
export function connectDatabases(options: ConnectOptions): Databases {
  const primary = connectWhenNeeded(options.databaseUrl, options);
  const replica =
    options.databaseReadUrl === undefined ? primary : connectWhenNeeded(options.databaseReadUrl, options);
  return {
    primary: primary.database,
    replica: replica.database,
    async close() {
      await Promise.all([...new Set([primary, replica])].map((connection) => connection.close()));
    },
  };
}

function connectWhenNeeded(databaseUrl: string, { poolSize, onConnectionError }: ConnectOptions) {
  let opened: Promise<DatabasePool> | undefined;
  let closed = false;

  /** One attempt at a time, shared by all who wait; a failed one is forgotten. */
  async function pool(): Promise<DatabasePool> {
    if (closed) throw new Error('The connection to the database is closed.');
    opened ??= openPool(databaseUrl, poolSize).then(
      (ready) => {
        // Without a listener a connection that breaks while idle would end the process.
        ready.on('error', (error) => onConnectionError?.(error));
        return ready;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return await opened;
  }

  const database = new Proxy({} as Pool, {
    get: (_target, method: keyof Pool) => {
      return async (...parameters: unknown[]) => {
        const run = (await pool())[method] as (...parameters: unknown[]) => Promise<unknown>;
        return await run(...parameters);
      };
    },
  });

  return {
    database,
    async close() {
      closed = true;
      const ready = await opened?.catch(() => undefined);
      await ready?.end();
    },
  };
}
