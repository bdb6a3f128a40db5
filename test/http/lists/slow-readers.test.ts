import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ListLimits } from '../../../src/services/streaming/list-queue.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { apiAs, errorResponse } from '../../support/http/requests.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/http/service.ts';

const backoffice = backofficeOfThisFile();

/** Larger than all buffers. */
const rows = 50_000;

/** Enough admins to hold every slot. */
let slow: SignedIn[];

const stops: (() => unknown)[] = [];

beforeAll(async () => {
  slow = await Promise.all(Array.from({ length: 3 }, () => backoffice.service.signIn('admin')));
  await backoffice.sql(
    `insert into issues (title, description, created_at)
     select 'Listed', repeat('x', 500), now() - n * interval '1 second' from generate_series(1, $1) n`,
    [rows],
  );
  await backoffice.sql(
    `insert into issues (title, description, created_at) values ('Long', repeat('x', 17000), now() + interval '1 day')`,
  );
  const { client } = backoffice.superadmin;
  await client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada',
    initial_message: 'x'.repeat(17_000),
  });
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Starts an instance with other limits for lists, until the end of the test. */
async function startWith(limits: Partial<ListLimits>): Promise<TestService> {
  const env = { DATABASE_URL: backoffice.service.databaseUrl };
  const service = await startTestService(env, { listLimits: limits });
  stops.push(() => service.stop());
  return service;
}

/** Reads a little from time to time until the end of the test, often enough not to count as stalled. */
async function readSlowly({ url }: TestService, { cookie }: SignedIn): Promise<IncomingMessage> {
  const request = get(`${url}/api/admin/issues`, { agent: false, headers: { cookie } });
  stops.push(() => request.destroy());
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('No response.');
  response.on('error', () => {});
  response.pause();
  const trickle = setInterval(() => response.read(16 * 1024), 50);
  stops.push(() => clearInterval(trickle));
  return response;
}

/** Fills every slot with a slow reader. The first one is the longest-running. */
async function fillSlots(service: TestService): Promise<IncomingMessage[]> {
  const responses: IncomingMessage[] = [];
  for (const reader of slow.flatMap((admin) => [admin, admin]).slice(0, 5)) {
    responses.push(await readSlowly(service, reader));
  }
  return responses;
}

/** Expects that another admin, who reads fast, gets the whole list. */
async function expectWholeList({ url }: TestService): Promise<void> {
  const { status, body } = await apiAs(url, backoffice.superadmin).get('/issues');
  expect(status).toBe(200);
  expect(body).toMatchObject({ issues: { length: rows + 1 } });
}

test('one admin has two slots for slow readers, and others still get a whole list', async () => {
  const service = await startWith({ queueTimeoutMs: 100 });
  const reader = await service.signIn('admin');
  const responses = await Promise.all(Array.from({ length: 5 }, () => readSlowly(service, reader)));
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([200, 200, 503, 503, 503]);
  await expectWholeList(service);
});

describe('while slow readers have every slot', () => {
  test('pages, short lists and all other operations work, also with long texts', async () => {
    const { service, api } = backoffice;
    const responses = await fillSlots(service);
    const [page, first, conversations, created] = await Promise.all([
      api.get('/issues?limit=1000'),
      api.get('/issues?limit=1'),
      api.get('/conversations'),
      api.post('/issues', { title: 'Meanwhile' }),
    ]);
    expect(page).toMatchObject({ status: 200, body: { issues: { length: 1000 } } });
    expect(first).toMatchObject({ status: 200, body: { issues: [{ description: 'x'.repeat(17_000) }] } });
    expect(conversations).toMatchObject({
      status: 200,
      body: { conversations: [{ last_message: 'x'.repeat(17_000) }] },
    });
    expect(created.status).toBe(200);
    expect(responses.map(({ complete, destroyed }) => complete || destroyed)).toEqual(Array(5).fill(false));
    await backoffice.sql(`delete from issues where title = 'Meanwhile'`);
  });

  test('another reader waits, then gets 503 with Retry-After', async () => {
    const service = await startWith({ queueTimeoutMs: 100 });
    await fillSlots(service);
    const url = `${service.url}/api/admin/issues`;
    const response = await fetch(url, { headers: { cookie: backoffice.superadmin.cookie } });
    expect(response.headers.get('retry-after')).toBe('5');
    const result = { status: response.status, body: await response.json() };
    expect(result).toEqual(errorResponse(503, 'The service is busy. Try again in a few seconds.'));
  });

  test('another reader gets the slot of the longest-running one, which is disconnected', async () => {
    const service = await startWith({ maxSlotMs: 200 });
    const responses = await fillSlots(service);
    await expectWholeList(service);
    const [longest, ...others] = responses;
    // Data that was sent before the disconnect arrives first.
    longest?.resume();
    await expect.poll(() => longest?.destroyed).toBe(true);
    // The reader can tell that its list is incomplete.
    expect(longest?.complete).toBe(false);
    expect(others.map(({ destroyed }) => destroyed)).toEqual(Array(4).fill(false));
  });
});
