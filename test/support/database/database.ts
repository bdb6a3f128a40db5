import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { inject } from 'vitest';
import { withClient, withDatabase } from '../http/admin-client.ts';

/** A database of one test file's own. */
export interface TestDatabase {
  url: string;
  /** Drops it, ending whatever sessions are left. */
  drop(): Promise<void>;
}

const PATIENCE_MS = 10_000;

/** Makes a database with all migrations applied, by copying the run's template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(`TEMPLATE "${inject('templateDatabase')}"`);
}

/** Makes a database with nothing in it, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template0');
}

async function create(options: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `test_${crypto.randomUUID()}`;
  // Copying files takes a fifth of the time of Postgres' default, which writes every page to the log too.
  await withClient(adminUrl, (client) =>
    client.query(`CREATE DATABASE "${name}" ${options} STRATEGY FILE_COPY`),
  );
  return {
    url: withDatabase(adminUrl, name),
    drop: () => withClient(adminUrl, (client) => drop(client, name)),
  };
}

async function drop(client: Client, name: string): Promise<void> {
  // A pool's end() returns before its connections are gone, and one that is ended by force meanwhile
  // throws its error at the test file that happens to run.
  const deadline = Date.now() + PATIENCE_MS;
  while ((await isInUse(client, name)) && Date.now() < deadline) await sleep(20);
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function isInUse(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
  return rowCount !== 0;
}
