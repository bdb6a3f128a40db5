import { inject } from 'vitest';
import { withClient, withDatabase } from './admin-client.ts';

/** A database of one test file's own. */
export interface TestDatabase {
  url: string;
  /** Drops it, ending whatever sessions are left. */
  drop(): Promise<void>;
}

/** Makes a database with all migrations applied: a copy of the run's template, in some 30 ms. */
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
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE "${name}" ${options}`));
  return {
    url: withDatabase(adminUrl, name),
    async drop() {
      await withClient(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    },
  };
}
