import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { failsWith500, type Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

let service: TestService;
let superadmin: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await service.signIn('superadmin');
  await superadmin.client.call('issues.create', { title: 'Away' });
});

afterAll(() => service?.stop());

async function send(method: string, path: string, body?: object) {
  const response = await service.fetch(path, {
    method,
    headers: { cookie: superadmin.cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), error };
}

/** Adds a comment, which must not be done twice. */
const comment = () => send('POST', '/api/admin/comments', { issue_id: 1, content: 'Away' });
const countComments = () =>
  withClient(service.databaseUrl, async (client) => (await client.query('select from comments')).rowCount);

const unavailable = { status: 503, retryAfter: '2', error: 'The database is unavailable.' };

/** Lets that many connections into the database of the service, without those that exist; -1 for any number. */
async function limitConnections(limit: number): Promise<void> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await withClient(inject('adminUrl'), (client) =>
    client.query(`alter database "${name}" connection limit ${limit}`),
  );
}

/** Ends the connections of the service whose last statement is like a pattern, or is not. */
async function endConnections(condition: string): Promise<void> {
  await withClient(service.databaseUrl, (client) =>
    client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and ${condition}
    `),
  );
}

test('without the database, what the contract does not describe is 503 with Retry-After, what it does 500', async () => {
  await limitConnections(0);
  await endConnections('true');
  // What is remembered of a session ends with a connection.
  await expect.poll(() => send('GET', '/api/admin/session')).toEqual(unavailable);
  for (const operation of operations.filter(({ allow }) => allow.to !== 'anyone')) {
    const { id, method, path }: Operation = operation;
    const expected = failsWith500(operation)
      ? { status: 500, retryAfter: '2', error: expect.stringMatching(/./) }
      : unavailable;
    expect(await send(method, path), id).toEqual(expected);
  }
  await limitConnections(-1);
  await expect.poll(() => send('GET', '/api/admin/session')).toMatchObject({ status: 200 });
});

test('a change for which no connection is free has not begun, so it is 503', async () => {
  const own = `query like '%"freshSeconds"%'`;
  await expect.poll(() => send('GET', '/api/admin/session')).toMatchObject({ status: 200 });
  await limitConnections(0);
  // Only those that read sessions are left.
  await endConnections(`not (${own})`);
  await expect.poll(comment).toEqual(unavailable);
  await limitConnections(-1);
  expect(await countComments()).toBe(0);
  await expect.poll(comment).toMatchObject({ status: 200 });
});

test('a change whose connection breaks may have been made, so it is 500, unless it may be made twice', async () => {
  const usage = { record_id: 'a', model: 'small', input_tokens: 1, output_tokens: 1 };
  await withClient(service.databaseUrl, async (client) => {
    await client.query('begin; lock table comments, token_usage_records');
    const changes = [comment(), send('POST', '/api/admin/token-usage', usage)];
    await untilBlocked({ sql: async (text) => (await client.query(text)).rows }, 2);
    await endConnections(`wait_event_type = 'Lock'`);
    expect(await Promise.all(changes)).toEqual([
      { status: 500, retryAfter: '2', error: 'Failed to add the comment.' },
      unavailable,
    ]);
    await client.query('rollback');
  });
});
