import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../support/here.ts';
import { asRuntime, createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PoolerStandIn, startPoolerStandIn } from '../support/receivers/pooler.ts';

let database: TestDatabase;
let pooler: PoolerStandIn;

beforeAll(async () => {
  database = await createTestDatabase();
  pooler = await startPoolerStandIn(asRuntime(database.url));
});

afterAll(async () => {
  await pooler?.close();
  await database?.drop();
});

/** Starts the service on the database with these variables. */
async function serviceWith(env: { readonly DATABASE_URL: string; readonly DATABASE_POOL_URL?: string }) {
  const service = await startTestService(env);
  onTestFinished(() => service.stop());
  return service;
}

test('an instance whose requests get no connection is not ready', async () => {
  const service = await serviceWith({ DATABASE_URL: pooler.url });
  const response = await service.fetch('/readyz');
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'not ready', error: 'The database is unavailable.' },
  ]);
});

test('requests work through a pooler in DATABASE_POOL_URL', async () => {
  const service = await serviceWith({ DATABASE_URL: database.url, DATABASE_POOL_URL: pooler.url });
  expect((await service.fetch('/readyz')).status).toBe(200);
  const { client, cookie } = await service.signIn('superadmin');
  const { id } = await client.call('issues.create', { title: 'through a pooler' });
  const response = await service.fetch('/api/admin/issues', { headers: { cookie } });
  expect(await response.json()).toMatchObject({ issues: [{ id, title: 'through a pooler' }] });
});
