import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { problemSchema } from '../../src/contract/problem.ts';
import { operations } from '../../src/contract/registry.ts';
import { maxPoolConnections } from '../../src/db/connection/database.ts';
import { programVersion } from '../../src/version.ts';
import { ask, sendHead } from '../support/here/requests.ts';
import { backofficeHere, startTestService, type TestService } from '../support/here.ts';
import { withClient } from '../support/postgres/server.ts';
import { untilBlocked } from '../support/postgres.ts';

describe('starting', () => {
  let service: TestService;
  const starting = '{"error":"The service is starting."}';

  beforeAll(async () => {
    service = await startTestService({}, { needsAccount: true });
  });

  afterAll(() => service?.stop());

  const renameMigrations = (from: string, to: string) =>
    withClient(service.databaseUrl, (client) => client.query(`alter table ${from} rename to ${to}`));

  async function ready() {
    const { status, retryAfter, body } = await ask(service, '/readyz');
    return { status, retryAfter, body };
  }

  describe('before there is an account', () => {
    test('every operation answers 503, and says when to try again', async () => {
      const others = [
        { method: 'GET', path: '/api/admin/unlisted' },
        { method: 'POST', path: '/api/mcp' },
      ];
      // The contact page is off.
      const answering = operations.filter(({ id }) => id !== 'contact.create');
      for (const { method, path } of [...answering, ...others]) {
        const answer = await ask(service, path, { method, body: method === 'GET' ? undefined : '{}' });
        expect([answer.status, answer.retryAfter, answer.text], path).toEqual([503, '1', starting]);
      }
    });

    test('a client that prefers it gets a problem document, and a browser a stream that ends', async () => {
      const get = (path: string, accept: string) => ask(service, path, { headers: { accept } });
      const { body } = await get('/api/admin/issues', 'application/problem+json');
      const problem = { status: 503, code: 'starting', detail: 'The service is starting.' };
      expect(problemSchema.parse(body)).toMatchObject(problem);
      const { status, headers, text } = await get('/api/admin/events', 'text/event-stream');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(text).toMatch(/^: The service is starting\.\nretry: \d{4}\n\n$/);
    });

    test('/readyz answers 503 with the reason, /healthz 200 with the version and the commit', async () => {
      const refused = (reason: string) => ({
        status: 503,
        retryAfter: '1',
        body: { status: 'not ready', error: 'The service is starting.', reason },
      });
      expect(await ready()).toEqual(refused('There is no admin yet. Run `backoffice admins create`.'));
      await renameMigrations('migrations', 'other_migrations');
      expect(await ready()).toEqual(
        refused('The database schema is out of date. Run `backoffice migrate up`.'),
      );
      await renameMigrations('other_migrations', 'migrations');
      const { status, body } = await ask(service, '/healthz');
      expect([status, body]).toEqual([200, { status: 'ok', ...programVersion() }]);
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

  test('/readyz answers 503 while every connection is in use', async () => {
    const { databases } = service.services;
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
});

describe('stopping', () => {
  const backoffice = backofficeHere();

  test('an instance says so, answers, ends streams, and finishes what runs before it accepts no connection', async () => {
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const { cookie } = backoffice.superadmin;
    // Not of the file: the test stops it itself.
    const instance = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl });
    /** Sends a request over a connection that stays open. */
    async function send(path: string, method = 'GET', body = ''): Promise<IncomingMessage> {
      const sent = request(instance.url + path, { agent, method, headers: { cookie } }).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return response.resume();
    }
    const follow = (headers = {}) => ask(instance, '/api/admin/events', { headers: { cookie, ...headers } });

    expect((await send('/readyz')).headers.connection).toBe('keep-alive');
    const stream = follow();
    await expect.poll(() => instance.services.events.followers).toBe(1);
    await backoffice.sql('begin; lock table issues');
    const running = send('/api/admin/issues', 'POST', '{"title":"under way"}');
    await untilBlocked(backoffice);
    // Long enough for all that is sent meanwhile.
    const stopped = instance.stop({ drainMs: 4_000 });

    const { status, headers, retryAfter, body } = await ask(instance, '/readyz');
    expect([status, headers.get('connection'), retryAfter]).toEqual([503, 'close', '1']);
    expect(body).toEqual({ status: 'not ready', error: 'The server is stopping.' });
    // Over the connection that is open, and over a new one.
    for (let times = 0; times < 2; times++) {
      const response = await send('/api/admin/settings?section=none');
      expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    }
    // Streams end with the time to wait, and new ones right after their position.
    const ended = /^retry: \d{4}\n\n: alive\nid: (\d+)\n\nretry: \d{4}\n\n$/;
    expect((await stream).text).toMatch(ended);
    const late = await follow({ 'last-event-id': '1' });
    expect([late.status, ended.exec(late.text)?.[1]]).toEqual([200, '1']);

    await backoffice.sql('commit');
    const finished = await running;
    expect([finished.statusCode, finished.headers.connection]).toEqual([200, 'close']);
    await stopped;
    await expect(sendHead(instance.url, ['GET /readyz HTTP/1.1'])).rejects.toThrow('ECONNREFUSED');
  });
});
