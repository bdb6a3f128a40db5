import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ListLimits } from '../../../src/services/streaming/list-queue.ts';
import { askAs, refusal } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/http/service.ts';

const backoffice = backofficeOfThisFile();

/** More than any buffer on the way holds. */
const rows = 50_000;

/** Who reads slowly: as many actors as can hold every turn between them. */
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

/** An instance whose lists have other limits, for the rest of the test. */
async function startWith(limits: Partial<ListLimits>): Promise<TestService> {
  const env = { DATABASE_URL: backoffice.service.databaseUrl };
  const service = await startTestService(env, undefined, limits);
  stops.push(() => service.stop());
  return service;
}

/** A reader who takes a little now and then, for the rest of the test: never so little that it counts as stalled. */
async function readSlowly({ url }: TestService, { cookie }: SignedIn): Promise<IncomingMessage> {
  const request = get(`${url}/api/admin/issues`, { agent: false, headers: { cookie } });
  stops.push(() => request.destroy());
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('There is no response.');
  response.on('error', () => {});
  response.pause();
  const trickle = setInterval(() => response.read(16 * 1024), 50);
  stops.push(() => clearInterval(trickle));
  return response;
}

/** Slow readers who hold every turn there is: the one that has had it longest comes first. */
async function readSlowlyInEveryTurn(service: TestService): Promise<IncomingMessage[]> {
  const responses: IncomingMessage[] = [];
  for (const reader of slow.flatMap((admin) => [admin, admin]).slice(0, 5)) {
    responses.push(await readSlowly(service, reader));
  }
  return responses;
}

/** Expects the whole list, of another admin, who takes it as fast as it comes. */
async function expectWholeList({ url }: TestService): Promise<void> {
  const { status, body } = await askAs(url, backoffice.superadmin).get('/issues');
  expect(status).toBe(200);
  expect(body).toMatchObject({ issues: { length: rows + 1 } });
}

test('of five slow readers of one admin two have a turn, and they keep nobody else from a whole list', async () => {
  const service = await startWith({ queueTimeoutMs: 100 });
  const reader = await service.signIn('admin');
  const responses = await Promise.all(Array.from({ length: 5 }, () => readSlowly(service, reader)));
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([200, 200, 503, 503, 503]);
  await expectWholeList(service);
});

describe('while slow readers have every turn', () => {
  test('pages, short lists and all else are there, with long texts too', async () => {
    const { service, ask } = backoffice;
    const responses = await readSlowlyInEveryTurn(service);
    const [page, first, conversations, created] = await Promise.all([
      ask.get('/issues?limit=1000'),
      ask.get('/issues?limit=1'),
      ask.get('/conversations'),
      ask.post('/issues', { title: 'Meanwhile' }),
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

  test('another waits, and is told when to come back', async () => {
    const service = await startWith({ queueTimeoutMs: 100 });
    await readSlowlyInEveryTurn(service);
    const url = `${service.url}/api/admin/issues`;
    const response = await fetch(url, { headers: { cookie: backoffice.superadmin.cookie } });
    expect(response.headers.get('retry-after')).toBe('5');
    const answer = { status: response.status, body: await response.json() };
    expect(answer).toEqual(refusal(503, 'The service is busy. Try again in a few seconds.'));
  });

  test('another has the turn of the one that has had it longest, whose answer breaks off', async () => {
    const service = await startWith({ maxSlotMs: 200 });
    const responses = await readSlowlyInEveryTurn(service);
    await expectWholeList(service);
    const [longest, ...others] = responses;
    // What was on its way when it was cut off arrives before its end does.
    longest?.resume();
    await expect.poll(() => longest?.destroyed).toBe(true);
    // No reader takes half a list for a whole one.
    expect(longest?.complete).toBe(false);
    expect(others.map(({ destroyed }) => destroyed)).toEqual(Array(4).fill(false));
  });
});
