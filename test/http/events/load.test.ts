import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import { type Follower, follow } from '../../support/here/events.ts';
import { apiAs } from '../../support/here/requests.ts';
import {
  backofficeHere,
  clientWith,
  instanceHere,
  startInstance,
  type TestService,
} from '../../support/here.ts';
import { usedMemory } from '../../support/memory.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();
const changes = isSlowRun ? 1_000 : 200;
const longEvents = isSlowRun ? 1_000 : 300;
const second = instanceHere(backoffice, {}, { eventLimits: { maxPerActor: 50 } });

/** Makes that many changes, some of them concurrently. */
async function change(total: number, concurrency = 10): Promise<void> {
  const { client } = backoffice.superadmin;
  let left = total;
  const work = async () => {
    while (left-- > 0) await client.call('issues.create', { title: 'T' });
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Inserts that many events of 60 kB in batches. Changes make shorter events, because their texts are truncated. */
async function insertLongEvents(total: number): Promise<void> {
  for (let inserted = 0; inserted < total; inserted += 50) {
    await backoffice.sql(
      `insert into events (type, subject_id, actor, data)
       select 'issue.created', n, 'tests', jsonb_build_object('title', repeat('x', 60000)) from generate_series(1, 50) as n`,
    );
  }
}

async function idsAfter(id: number): Promise<number[]> {
  const rows = await backoffice.sql<{ id: string }>('select id from events where id > $1 order by id', [id]);
  return rows.map((row) => Number(row.id));
}

const lastId = async () => (await idsAfter(0)).at(-1) ?? 0;

/**
 * Follows the events after an id over connections that can be cut, to both instances in turn. Cuts only an established
 * connection, because the delays grow with each failed attempt.
 */
async function followBreaking(after: number): Promise<{ follower: Follower; cut(): void }> {
  const instances = [backoffice.service, second];
  let cut = () => {};
  let attempts = 0;
  const client = createClient({
    baseUrl: '',
    async fetch(path, init) {
      const connection = new AbortController();
      const instance = instances[attempts++ % 2] as TestService;
      const signal = AbortSignal.any([connection.signal, init?.signal ?? connection.signal]);
      const headers = { ...init?.headers, cookie: backoffice.superadmin.cookie };
      const response = await instance.fetch(String(path), { ...init, signal, headers });
      cut = () => connection.abort();
      return response;
    },
  });
  return { follower: await follow(client, { after }), cut: () => cut() };
}

test('a client whose connection keeps breaking receives each of many changes once', async () => {
  const before = await lastId();
  const broken = await Promise.all(Array.from({ length: 3 }, () => followBreaking(before)));
  const breaking = setInterval(() => {
    for (const { cut } of broken) cut();
  }, 400);
  await change(changes / 2);
  // Waits until each connection has broken, however fast the changes are.
  for (const { follower } of broken) await expect.poll(() => follower.connections).toBeGreaterThan(1);
  await change(changes / 2);
  clearInterval(breaking);
  const ids = await idsAfter(before);
  for (const { follower } of broken) {
    await follower.until(ids.length);
    await follower.stop();
    expect(follower.received.map(({ id }) => id)).toEqual(ids);
  }
});

/** Follows without reading, until it is woken. */
async function followWithoutReading({ url }: TestService) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { cookie } = backoffice.superadmin;
  socket.write(`GET /api/admin/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  let closed = false;
  socket.on('close', () => {
    closed = true;
  });
  socket.on('error', () => {});
  return { wake: () => socket.resume(), isClosed: () => closed, leave: () => socket.destroy() };
}

test('clients that do not read cost no memory and do not slow others down', async () => {
  const asleep = await Promise.all(Array.from({ length: 20 }, () => followWithoutReading(second)));
  let heard = 0;
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();
  const awake = (async () => {
    // Counts the events without keeping them, so that only the service uses memory.
    const news = clientWith(second.url, backoffice.superadmin.cookie).follow({
      signal: leaving.signal,
      onConnect: connected.resolve,
    });
    for await (const { type } of news) if (type === 'issue.created') heard++;
  })();
  await connected.promise;
  await change(1);
  await expect.poll(() => heard).toBe(1);
  const before = isSlowRun ? usedMemory() : 0;
  // A buffer per client would hold 360 MB: 300 events of 60 kB for each of 20.
  await insertLongEvents(longEvents);
  await expect.poll(() => heard, { timeout: 90_000 }).toBe(longEvents + 1);
  if (isSlowRun) expect(usedMemory() - before).toBeLessThan(100e6);
  for (const sleeper of asleep) sleeper.leave();
  leaving.abort();
  await awake;
});

test('disconnects a client that does not read, and not one that does', async () => {
  // Longer than a busy machine delays the reader.
  const eventLimits = { stallTimeoutMs: 5_000, maxFollowers: 2 };
  const strict = await startInstance(backoffice, {}, { eventLimits });
  const followBriefly = async () => {
    const { status } = await apiAs(strict.url, backoffice.superadmin).get('/events');
    return status;
  };
  const asleep = await followWithoutReading(strict);
  const awake = await follow(clientWith(strict.url, backoffice.superadmin.cookie));
  // More than the buffers at both ends of a connection hold.
  await insertLongEvents(300);
  await awake.until(300);
  // It does not notice the end while it does not read, but its place is free again.
  await expect.poll(followBriefly).toBe(200);
  asleep.wake();
  await expect.poll(asleep.isClosed).toBe(true);
  expect(awake.connections).toBe(1);
  await awake.stop();
});
