import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase, type Pool } from '../../../src/db/connection/database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { publishingClient } from './publishing-client.ts';

/** Longer than a statement of a test takes on a busy machine. */
const longTimeouts = { connectionMs: 30_000, statementMs: 60_000, lockMs: 60_000 };

/** A database for one test file, without a service. */
export interface OwnDatabase {
  readonly url: string;
  /** A pool like that of the service. */
  readonly pool: Pool;
  /** A plain connection. */
  readonly client: Client;
  /** Opens one more plain connection, which is closed after the tests. */
  connect(): Promise<Client>;
}

/**
 * Creates a database before the tests of the calling file and drops it after them.
 *
 * @param maxConnections - how many connections the pool has at most
 */
export function databaseOfThisFile(maxConnections?: number): OwnDatabase {
  let database: TestDatabase;
  let pool: Pool;
  let client: Client;
  const clients: Client[] = [];

  async function connect(): Promise<Client> {
    const opened = publishingClient(database.url);
    clients.push(opened);
    await opened.connect();
    return opened;
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openDatabase({ databaseUrl: database.url, maxConnections, timeouts: longTimeouts });
    client = await connect();
  });

  afterAll(async () => {
    for (const opened of clients) await opened.end();
    await pool?.close();
    await database?.drop();
  });

  return {
    get url() {
      return database.url;
    },
    get pool() {
      return pool;
    },
    get client() {
      return client;
    },
    connect,
  };
}
