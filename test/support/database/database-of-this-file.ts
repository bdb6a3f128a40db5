import { Client } from 'pg';
import type { DatabasePool } from 'slonik';
import { afterAll, beforeAll } from 'vitest';
import { openPool } from '../../../src/db/connection/pool.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database for one test file, without a service on it. */
export interface OwnDatabase {
  /** As the service has it. */
  readonly pool: DatabasePool;
  /** Looks behind the service's back. */
  readonly client: Client;
}

/**
 * Makes a database before the tests of the calling file and drops it after them.
 *
 * @param connections - how many the pool has at most
 */
export function databaseOfThisFile(connections?: number): OwnDatabase {
  let database: TestDatabase;
  let pool: DatabasePool;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = await openPool(database.url, connections);
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
