import { EventEmitter, once } from 'node:events';
import type { Request, Response } from 'express';
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { sentenceOf } from '../../cli/failures.ts';
import { failsWith500, type Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { startDeadline } from '../../src/http/requests/deadline.ts';
import { signIn } from '../support/here/accounts.ts';
import { ask } from '../support/here/requests.ts';
import { createIssues } from '../support/here/rows.ts';
import {
  type Backoffice,
  backofficeHere,
  instanceHere,
  password,
  startInstance,
  type TestService,
} from '../support/here.ts';
import { withClient } from '../support/postgres/server.ts';
import { asRuntime, duringTransaction, untilBlocked } from '../support/postgres.ts';
import { startPoolerStandIn } from '../support/receivers/pooler.ts';

const backoffice = backofficeHere();

/** Returns a function that sends a request as the superadmin, and returns what the tests compare of the answer. */
const sender =
  (to: Backoffice, instance?: TestService) =>
  async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const request = { method, as: to.superadmin, body, headers };
    const answer = await ask(
      instance ?? to.service,
      path.startsWith('/api/') ? path : `/api/admin${path}`,
      request,
    );
    const { error } = answer.body as { error?: string };
    return { status: answer.status, retryAfter: answer.retryAfter, error };
  };

describe('what is locked', () => {
  /** An instance whose statements wait for locks as briefly as in the product; others wait long in tests. */
  const instance = instanceHere(backoffice, {}, { lockTimeoutMs: 1_200 });
  const send = sender(backoffice, instance);

  beforeEach(async () => {
    await backoffice.sql('truncate issues, conversations restart identity cascade');
    await createIssues(backoffice, 3);
  });

  const error = 'The database is locked by other work, such as a migration.';
  const locked = { status: 503, retryAfter: '2', error };

  test('while a migration holds a table, reads and many changes of it are 503 with Retry-After, and nothing is written', async () => {
    const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
    await duringTransaction(backoffice, ['lock table issues, conversations, admins'], async () => {
      const answers = await Promise.all([
        send('GET', '/issues'),
        send('POST', '/issues', { title: 'Meanwhile' }),
        send('POST', '/issues', { title: 'Meanwhile' }, { 'idempotency-key': 'a' }),
        send('PUT', '/issues', { id: 1, status: 'Closed' }),
        send('PATCH', '/issues', { ids: [1, 2, 3], set: { status: 'Closed' } }),
        send('POST', '/conversations', visitor),
        send('POST', '/comments', { issue_id: 1, content: 'Meanwhile' }, { 'idempotency-key': 'a' }),
        send('GET', '/admins'),
        ...Array.from({ length: 30 }, () => send('POST', '/issues', { title: 'Meanwhile' })),
      ]);
      expect(answers).toEqual(answers.map(() => locked));
    });
    const changed = `select id, status from issues where status <> 'Open' or title = 'Meanwhile'`;
    expect(await backoffice.sql(changed)).toEqual([]);
    expect(await backoffice.sql('select from conversations')).toEqual([]);
    // The key is free.
    const again = await send('POST', '/issues', { title: 'Later' }, { 'idempotency-key': 'a' });
    expect(again).toMatchObject({ status: 200 });
  });
});

describe('a database that is away', () => {
  const away = backofficeHere();

  beforeAll(() => away.superadmin.client.call('issues.create', { title: 'Away' }));

  const send = sender(away);

  /** Adds a comment, which must not be done twice. */
  const comment = () => send('POST', '/comments', { issue_id: 1, content: 'Away' });
  const unavailable = { status: 503, retryAfter: '2', error: 'The database is unavailable.' };

  /** Lets that many connections into the database of the service, without those that exist; -1 for any number. */
  async function limitConnections(limit: number): Promise<void> {
    const name = new URL(away.service.databaseUrl).pathname.slice(1);
    const change = `alter database "${name}" connection limit ${limit}`;
    await withClient(inject('adminUrl'), (client) => client.query(change));
  }

  /** Ends the connections of the service that match a condition. */
  async function endConnections(condition: string): Promise<void> {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and ${condition}`;
    await withClient(away.service.databaseUrl, (client) => client.query(end));
  }

  /** What a caller must not see: the address of the database, queries, and places in the code. */
  const leak = /\d+\.\d+\.\d+\.\d+|localhost|:\d{4}|test_|ECONN|select|session|pg_|slonik|\.ts|\n/i;

  test('without the database, what the contract describes is 500 with its text, and all else 503 with Retry-After', async () => {
    await limitConnections(0);
    await endConnections('true');
    // What is remembered of a session ends with a connection.
    await expect.poll(() => send('GET', '/session')).toEqual(unavailable);
    for (const operation of operations.filter(({ allow }) => allow.to !== 'anyone')) {
      const { id, method, path, failure = expect.stringMatching(/^\S/) }: Operation = operation;
      const described = { status: 500, retryAfter: '2', error: failure };
      const answer = await send(method, path);
      expect(answer, id).toEqual(failsWith500(operation) ? described : unavailable);
      expect(answer.error, id).not.toMatch(leak);
      expect((await away.service.fetch(path, { method })).status, id).toBe(401);
    }
    await limitConnections(-1);
    await expect.poll(() => send('GET', '/session')).toMatchObject({ status: 200 });
  });

  test('a change whose connection breaks may have been made, so it is 500, unless it may be made twice', async () => {
    const usage = { record_id: 'a', model: 'small', input_tokens: 1, output_tokens: 1 };
    await withClient(away.service.databaseUrl, async (client) => {
      await client.query('begin; lock table comments, token_usage_records');
      const changes = [comment(), send('POST', '/token-usage', usage)];
      await untilBlocked({ sql: async (text) => (await client.query(text)).rows }, 2);
      await endConnections(`wait_event_type = 'Lock'`);
      expect(await Promise.all(changes)).toEqual([
        { status: 500, retryAfter: '2', error: 'Failed to add the comment.' },
        unavailable,
      ]);
      await client.query('rollback');
    });
  });
});

describe('a database that cannot be written', () => {
  const send = sender(backoffice);
  const answered = { status: 200, retryAfter: null };

  test('a full disk fails a change with one sentence, and reads go on', async () => {
    // As Postgres fails when it cannot extend a file. The message may name one.
    await backoffice.sql(`
    create function fail_on_full_disk() returns trigger language plpgsql as $$
    begin raise disk_full using message = 'could not extend file "base/5/16384": No space left on device'; end $$;
    create trigger full_disk before insert on issues for each row execute function fail_on_full_disk();
  `);
    const error = 'The database has no disk space left.';
    expect(await send('POST', '/issues', { title: 'One' })).toEqual({ status: 500, retryAfter: null, error });
    expect(await send('GET', '/issues?limit=1')).toEqual(answered);
    const failure = await createIssues(backoffice, 1).catch((reason) => reason);
    expect(sentenceOf(failure)).toBe(`${error} Free space on its disk, then try again.`);
    await backoffice.sql('drop trigger full_disk on issues');
    expect(await send('POST', '/issues', { title: 'Three' })).toEqual(answered);
  });

  test('a database that is read-only refuses each change with one sentence, and reads go on', async () => {
    const setReadOnly = async (value: 'on' | 'off') => {
      await backoffice.sql('set default_transaction_read_only = off');
      const [row] = await backoffice.sql<{ name: string }>('select current_database() as name');
      await backoffice.sql(`alter database "${row?.name}" set default_transaction_read_only = ${value}`);
      await backoffice.sql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };
    const { secret } = await backoffice.service.createToken('user');
    await setReadOnly('on');
    // A connection of the pool that has ended fails one request.
    const refused = { status: 500, retryAfter: '2', error: 'The database accepts no changes at the moment.' };
    await expect.poll(() => send('POST', '/issues', { title: 'One' })).toEqual(refused);
    const signedIn = await signIn(backoffice.service, { email: backoffice.superadmin.email, password });
    expect([signedIn.status, signedIn.headers.get('retry-after')]).toEqual([503, '2']);
    for (const path of ['/issues?limit=1', '/conversations', '/admins', '/session'])
      expect(await send('GET', path)).toEqual(answered);
    // A token whose last use cannot be recorded.
    const headers = { authorization: `Bearer ${secret}` };
    expect((await backoffice.service.fetch('/api/admin/issues?limit=1', { headers })).status).toBe(200);
    expect((await backoffice.service.fetch('/readyz')).status).toBe(200);

    await setReadOnly('off');
    await expect.poll(() => send('POST', '/issues', { title: 'One' })).toEqual(answered);
  });
});

test.for(['GET', 'POST'])('a %s that takes too long fails, and its work ends', async (method) => {
  const req = { method, headers: {}, readableEnded: true, log: { error() {} } } as unknown as Request;
  const failures: unknown[] = [];
  const options = { name: 'test', fail: (error: unknown) => failures.push(error), timeoutMs: 20 };
  startDeadline(req, new EventEmitter() as Response, options);
  const { signal, fail } = req.deadline;
  await once(signal, 'abort');
  // What the work throws then is no second answer.
  fail(signal.reason);
  expect(failures).toMatchObject([{ code: 'failed', message: 'The request took too long.' }]);
});

test('behind a pooler, an instance is not ready, and requests work if DATABASE_POOL_URL names it', async () => {
  const pooler = await startPoolerStandIn(asRuntime(backoffice.service.databaseUrl));
  onTestFinished(() => pooler.close());
  const unready = await startInstance(backoffice, { DATABASE_URL: pooler.url });
  const body = { status: 'not ready', error: 'The database is unavailable.' };
  expect(await ask(unready, '/readyz')).toMatchObject({ status: 503, body });
  const service = await startInstance(backoffice, { DATABASE_POOL_URL: pooler.url });
  expect((await service.fetch('/readyz')).status).toBe(200);
  const { client } = await service.signIn('superadmin');
  const { id } = await client.call('issues.create', { title: 'through a pooler' });
  expect(await client.call('issues.list', { id })).toMatchObject({ issues: [{ title: 'through a pooler' }] });
});
