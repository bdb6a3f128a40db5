import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { maxPoolConnections } from '../../../src/db/connection/database.ts';
import { classes } from '../../../src/services/load/classes.ts';
import type { Limits } from '../../../src/services/load/limiter.ts';
import { apiAs, ask, countByStatus, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere, type SignedIn, startInstance, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Too many for one query, and together larger than all buffers. */
const rows = 4_000;
const description = 'x'.repeat(4_000);

/** Enough admins to hold every slot. */
let slow: SignedIn[];

const stops: (() => unknown)[] = [];

beforeAll(async () => {
  // No search reads them.
  await backoffice.sql('alter table issues disable trigger issues_add_search');
  slow = await Promise.all(Array.from({ length: 3 }, () => backoffice.service.signIn('admin')));
  await backoffice.sql(
    `insert into issues (title, description, created_at)
     select 'Listed', $2, now() - n * interval '1 second' from generate_series(1, $1) n`,
    [rows, description],
  );
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Starts an instance with other limits, until the end of the test. */
const startWith = (lists: Partial<Limits>) => startInstance(backoffice, {}, { limits: { lists } });

/** Starts an instance with one slot, and fills it with a slow reader. */
async function startWithReader(lists: Partial<Limits> = {}) {
  const service = await startWith({ atOnce: 1, ...lists });
  return { service, reader: await readSlowly(service, slow[0] as SignedIn) };
}

function requestList({ url }: TestService, { cookie }: SignedIn): ClientRequest {
  const request = get(`${url}/api/admin/issues`, { agent: false, headers: { cookie } });
  request.on('error', () => {});
  stops.push(() => request.destroy());
  return request;
}

async function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('No response.');
  response.on('error', () => {});
  return response;
}

/**
 * Reads a little from time to time until the end of the test, often enough not to count as stalled. The more a program reads,
 * the larger the system makes its buffer, up to more than a whole list.
 */
async function readSlowly(service: TestService, reader: SignedIn): Promise<IncomingMessage> {
  const response = await responseOf(requestList(service, reader));
  response.pause();
  const trickle = setInterval(() => response.read(16 * 1024), 500);
  stops.push(() => clearInterval(trickle));
  return response;
}

/** Fills every slot with a slow reader. The first one is the longest-running. */
async function fillSlots(service: TestService): Promise<IncomingMessage[]> {
  const responses: IncomingMessage[] = [];
  const readers = slow.flatMap((admin) => [admin, admin]).slice(0, classes.lists.atOnce);
  for (const reader of readers) responses.push(await readSlowly(service, reader));
  return responses;
}

/** Requests the whole list as another admin, who reads fast. */
const readList = ({ url }: TestService) => apiAs(url, backoffice.superadmin).get('/issues');

/** Resolves when a reader waits for its turn. */
const untilOneWaits = ({ services }: TestService) =>
  expect.poll(() => services.limiters.lists.waiting).toBe(1);

const wholeList = { status: 200, body: { issues: { length: rows } } };
const busy = errorResponse(503, 'The service is busy. Try again in a few seconds.');

/** Returns the service's connections that are not idle. */
const busyConnections = () =>
  backoffice.sql(`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and state <> 'idle'
  `);

test('one admin has two slots for slow readers, and others still get a whole list', async () => {
  const service = await startWith({ waitMs: 100 });
  const reader = await service.signIn('admin');
  const responses = await Promise.all(Array.from({ length: 5 }, () => readSlowly(service, reader)));
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([200, 200, 503, 503, 503]);
  expect(await readList(service)).toMatchObject(wholeList);
});

describe('while slow readers have every slot', () => {
  test('another one waits, then gets 503; pages, short lists and other operations work', async () => {
    const service = await startWith({ waitMs: 100 });
    const responses = await fillSlots(service);
    const refused = await ask(service, '/api/admin/issues', { as: backoffice.superadmin });
    expect(refused).toMatchObject({ ...busy, retryAfter: '5' });
    const api = apiAs(service.url, backoffice.superadmin);
    const answers = await Promise.all([
      api.get('/issues?limit=1000'),
      api.get('/issues?limit=1'),
      api.get('/conversations'),
      api.post('/issues', { title: 'Meanwhile' }),
    ]);
    expect(countByStatus(answers)).toEqual({ 200: 4 });
    expect(responses.filter(({ complete, destroyed }) => complete || destroyed)).toEqual([]);
    await backoffice.sql(`delete from issues where title = 'Meanwhile'`);
  });

  test('another reader gets the slot of the longest-running one, which is disconnected', async () => {
    const service = await startWith({ readerMs: 200 });
    const [longest, ...others] = await fillSlots(service);
    expect(await readList(service)).toMatchObject(wholeList);
    // Data that was sent before the disconnect arrives first.
    longest?.resume();
    await expect.poll(() => longest?.destroyed).toBe(true);
    // The reader can tell that its list is incomplete.
    expect(longest?.complete).toBe(false);
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

describe('waiting readers', () => {
  test('that leave give their place to others at once', async () => {
    const { service, reader } = await startWithReader({ maxQueued: 1 });
    const leaving = requestList(service, backoffice.superadmin);
    await untilOneWaits(service);
    expect(await readList(service)).toEqual(busy);
    leaving.destroy();
    await expect.poll(() => service.services.limiters.lists.waiting).toBe(0);
    const waiting = readList(service);
    await untilOneWaits(service);
    reader.destroy();
    expect(await waiting).toMatchObject(wholeList);
  });

  test('that lose their access get 401', async () => {
    const { service, reader } = await startWithReader();
    const admin = await service.signIn('user');
    const waiting = responseOf(requestList(service, admin));
    await untilOneWaits(service);
    await backoffice.api.delete(`/admins?id=${admin.id}`);
    reader.destroy();
    expect((await waiting).statusCode).toBe(401);
  });
});

test('readers that leave, before a response starts or in the middle of it, leak no connection', async () => {
  const { service, superadmin } = backoffice;
  // More than the pool has connections: if each leaked one, the last would get none.
  const readers = Array.from({ length: maxPoolConnections + 2 }, async () => {
    const request = requestList(service, superadmin);
    const response = await responseOf(request);
    expect(response.statusCode).toBe(200);
    await once(response, 'data');
    request.destroy();
  });
  await Promise.all(readers);
  for (let round = 0; round < 20; round++) {
    const leaving = new AbortController();
    const init = { headers: { cookie: superadmin.cookie }, signal: leaving.signal };
    const response = service.fetch('/api/admin/issues', init);
    setImmediate(() => leaving.abort());
    await expect(response).rejects.toThrow(/abort/i);
  }
  await expect.poll(busyConnections).toEqual([]);
});
