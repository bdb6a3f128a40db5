import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '../../src/contract/problem.ts';
import { operations } from '../../src/contract/registry.ts';
import { maxPoolConnections } from '../../src/db/connection/database.ts';
import { programVersion } from '../../src/version.ts';
import { startTestService, type TestService } from '../support/here.ts';
import { withClient } from '../support/postgres/server.ts';

let service: TestService;
const starting = '{"error":"The service is starting."}';

beforeAll(async () => {
  service = await startTestService({}, { needsAccount: true });
});

afterAll(() => service?.stop());

const renameMigrations = (from: string, to: string) =>
  withClient(service.databaseUrl, (client) => client.query(`alter table ${from} rename to ${to}`));

async function ready() {
  const response = await service.fetch('/readyz');
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  };
}

describe('before there is an account', () => {
  const paths = operations.map(({ method, path }) => [method, path] as const);

  test.for([...paths, ['GET', '/api/admin/unlisted'], ['POST', '/api/mcp']] as const)(
    '%s %s answers 503, and says when to try again',
    async ([method, path]) => {
      const response = await service.fetch(path, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
      expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
        503,
        '1',
        starting,
      ]);
    },
  );

  test('a client that prefers it gets a problem document', async () => {
    const accept = 'application/problem+json';
    const response = await service.fetch('/api/admin/issues', { headers: { accept } });
    const problem = problemSchema.parse(await response.json());
    expect(problem).toMatchObject({ status: 503, code: 'starting', detail: 'The service is starting.' });
  });

  test('a browser that follows events connects again later', async () => {
    const headers = { accept: 'text/event-stream' };
    const response = await service.fetch('/api/admin/events', { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(await response.text()).toMatch(/^: The service is starting\.\nretry: \d{4}\n\n$/);
  });

  test('/readyz answers 503 with the reason, /healthz 200 with the version and the commit', async () => {
    const error = 'The service is starting.';
    const reason = 'There is no admin yet. Run `backoffice admins create`.';
    const body = { status: 'not ready', error, reason };
    expect(await ready()).toEqual({ status: 503, retryAfter: '1', body });
    const health = await service.fetch('/healthz');
    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({ status: 'ok', ...programVersion() });
  });

  test('a schema that is out of date is the reason', async () => {
    await renameMigrations('migrations', 'other_migrations');
    const reason = 'The database schema is out of date. Run `backoffice migrate up`.';
    expect(await ready()).toMatchObject({ status: 503, body: { reason } });
    await renameMigrations('other_migrations', 'migrations');
  });
});

test('requests are served as soon as there is an account, and from then on without a check', async () => {
  const { cookie } = await service.signIn('superadmin');
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  await renameMigrations('migrations', 'other_migrations');
  const error = 'The database schema is out of date. Run `backoffice migrate up`.';
  expect(await ready()).toEqual({ status: 503, retryAfter: null, body: { status: 'not ready', error } });
  const issues = await service.fetch('/api/admin/issues', { headers: { cookie } });
  expect([issues.status, await issues.text()]).toEqual([200, '{"issues":[]}']);
  await renameMigrations('other_migrations', 'migrations');
});

test('/readyz tells the truth while work waits, and while every connection is in use', async () => {
  const { limiters, databases } = service.services;
  await withClient(service.databaseUrl, async (client) => {
    await client.query(`insert into issues (id, title) overriding system value values (1, 'waits')`);
    await client.query('begin; lock table issues');
    const tokens = await Promise.all(Array.from({ length: 3 }, () => service.createToken('user')));
    const waiting = tokens.flatMap(({ secret }) =>
      Array.from({ length: 4 }, () =>
        service.fetch('/api/admin/issues', {
          method: 'PUT',
          headers: { authorization: `Bearer ${secret}` },
          body: '{"id":1,"status":"Closed"}',
        }),
      ),
    );
    const { atOnce } = limiters.changes.limits;
    await expect.poll(() => limiters.changes.waiting).toBe(waiting.length - atOnce);
    expect(await ready()).toMatchObject({ status: 200 });
    await client.query('commit');
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
  });
  const released = Promise.withResolvers<void>();
  const work = Array.from({ length: maxPoolConnections }, () =>
    databases.primary.connect(() => released.promise),
  );
  await expect.poll(() => databases.primary.load().inUse).toBe(maxPoolConnections);
  expect(await ready()).toMatchObject({ status: 503 });
  released.resolve();
  await Promise.all(work);
  expect(await ready()).toMatchObject({ status: 200 });
});
