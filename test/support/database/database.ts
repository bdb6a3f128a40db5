import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { inject } from 'vitest';
import { withClient, withDatabase } from './client.ts';

/** A database for one test file. */
export interface TestDatabase {
  /** The URL of the superuser. `asRuntime` returns that of the role that serves. */
  url: string;
  /** Drops the database and ends its remaining sessions. */
  drop(): Promise<void>;
}

const dropTimeoutMs = 10_000;

/** Creates a database with all migrations applied, as a copy of the run's template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(`TEMPLATE "${inject('templateDatabase')}"`);
}

/** Creates an empty database, for tests of the migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template0');
}

async function create(options: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `test_${crypto.randomUUID()}`;
  const owner = inject('roles').owner.name;
  // Copying files takes a fifth of the time of Postgres' default, which writes every page to the log too.
  await withClient(adminUrl, async (client) => {
    await client.query(`CREATE DATABASE "${name}" OWNER "${owner}" ${options} STRATEGY FILE_COPY`);
    await client.query(`REVOKE TEMPORARY ON DATABASE "${name}" FROM PUBLIC`);
  });
  return {
    url: withDatabase(adminUrl, name),
    drop: () => withClient(adminUrl, (client) => drop(client, name)),
  };
}

async function drop(client: Client, name: string): Promise<void> {
  // A pool's end() returns before its connections are closed. If they were ended by force, their errors would fail the
  // test file that runs then.
  const deadline = Date.now() + dropTimeoutMs;
  while ((await isInUse(client, name)) && Date.now() < deadline) await sleep(20);
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function isInUse(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
  return rowCount !== 0;
}
