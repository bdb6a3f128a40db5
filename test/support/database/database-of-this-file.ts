import { Client } from 'pg';
import type { DatabasePool } from 'slonik';
import { afterAll, beforeAll } from 'vitest';
import { openPool } from '../../../src/db/connection/pool.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database for one test file, without a service. */
export interface OwnDatabase {
  /** A pool like that of the service. */
  readonly pool: DatabasePool;
  /** A plain connection. */
  readonly client: Client;
}

/**
 * Creates a database before the tests of the calling file and drops it after them.
 *
 * @param maxConnections - how many connections the pool has at most
 */
export function databaseOfThisFile(maxConnections?: number): OwnDatabase {
  let database: TestDatabase;
  let pool: DatabasePool;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = await openPool(database.url, maxConnections);
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await pool?.end();
    await database?.drop();
  });

  return {
    get pool() {
      return pool;
    },
    get client() {
      return client;
    },
  };
}
