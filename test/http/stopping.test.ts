import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { restartInTurn } from '../faults/support/rolling-restart.ts';
import { sendHead } from '../support/here/requests.ts';
import { backofficeHere, startTestService, type TestService } from '../support/here.ts';
import { untilBlocked } from '../support/postgres.ts';

const backoffice = backofficeHere();

/** Starts another instance of the service. */
const startInstance = () => startTestService({ DATABASE_URL: backoffice.service.databaseUrl });

describe('an instance that is stopping', () => {
  /** Long enough for all that these tests send meanwhile. */
  const drainMs = 4_000;
  const agent = new Agent({ keepAlive: true });
  let instance: TestService;
  let stopped: Promise<void>;
  let running: Promise<IncomingMessage>;
  let stream: Promise<string>;

  /** Sends a request over a connection that stays open. */
  async function send(path: string, method = 'GET', body = ''): Promise<IncomingMessage> {
    const { cookie } = backoffice.superadmin;
    const sent = request(instance.url + path, { agent, method, headers: { cookie } }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response;
  }

  afterAll(async () => {
    agent.destroy();
    await stopped;
  });

  test('has a stream and a request that wait', async () => {
    instance = await startInstance();
    expect((await send('/readyz')).headers.connection).toBe('keep-alive');
    const { cookie } = backoffice.superadmin;
    const follow = await instance.fetch('/api/admin/events', { headers: { cookie } });
    stream = follow.text();
    await backoffice.sql('begin');
    await backoffice.sql('lock table issues');
    running = send('/api/admin/issues', 'POST', '{"title":"under way"}');
    await untilBlocked(backoffice);
    stopped = instance.stop({ drainMs });
  });

  test('says so at once, and closes each connection after its answer', async () => {
    const ready = await instance.fetch('/readyz');
    const { headers } = ready;
    expect([ready.status, headers.get('connection'), headers.get('retry-after')]).toEqual([
      503,
      'close',
      '1',
    ]);
    expect(await ready.json()).toEqual({ status: 'not ready', error: 'The server is stopping.' });
  });

  test('still answers, over connections that are open and over new ones', async () => {
    for (const way of ['open', 'new']) {
      const response = await send(`/api/admin/settings?section=none&${way}`);
      expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    }
  });

  test('ends streams with the time to wait, and new ones right after their position', async () => {
    const text = /^retry: \d{4}\n\n: alive\nid: (\d+)\n\nretry: \d{4}\n\n$/;
    expect(await stream).toMatch(text);
    const headers = { cookie: backoffice.superadmin.cookie, 'last-event-id': '1' };
    const late = await instance.fetch('/api/admin/events', { headers });
    expect(late.status).toBe(200);
    expect(text.exec(await late.text())?.[1]).toBe('1');
  });

  test('finishes the requests that run, then accepts no connection', async () => {
    await backoffice.sql('commit');
    const { statusCode, headers } = await running;
    expect([statusCode, headers.connection]).toEqual([200, 'close']);
    await stopped;
    await expect(sendHead(instance.url, ['GET /readyz HTTP/1.1'])).rejects.toThrow('ECONNREFUSED');
  });
});

test('two instances are restarted in turn behind a proxy: no request fails, no follower misses an event', async () => {
  const { secret: token } = await backoffice.service.createToken('superadmin');
  const start = async () => {
    const { url, stop } = await startInstance();
    return { url, stop: () => stop({ drainMs: 2_000 }) };
  };
  const { failures, events, received } = await restartInTurn({
    start,
    databaseUrl: backoffice.service.databaseUrl,
    token,
    requestsPerSecond: 40,
    followers: 6,
    rounds: 1,
    steadyMs: 300,
    checkMs: 50,
  });
  expect(failures).toEqual({});
  expect(events.length).toBeGreaterThan(30);
  for (const ids of received) expect(ids).toEqual(events);
});
