import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { type Follower, follow } from '../../support/http/follower.ts';
import { clientWith, startTestService, type TestService } from '../../support/http/service.ts';
import { usedMemory } from '../../support/memory.ts';

const backoffice = backofficeOfThisFile();
let second: TestService;

beforeAll(async () => {
  second = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl }, { maxPerActor: 50 });
});

afterAll(() => second?.stop());

/** Makes so many changes, some at a time. */
async function change(total: number, atOnce = 10): Promise<void> {
  const { client } = backoffice.superadmin;
  let left = total;
  const work = async () => {
    while (left-- > 0) await client.call('issues.create', { title: 'T' });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Tells so many events of 60 kB, some at a time: more than a change tells, as its texts are cut. */
async function tellLong(total: number): Promise<void> {
  for (let told = 0; told < total; told += 50) {
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

async function lastId(): Promise<number> {
  return (await idsAfter(0)).at(-1) ?? 0;
}

/**
 * Follows the events after an id with a connection that breaks again and again, on one instance and the other by turns.
 * Only one that stands is cut: the pauses grow with each that cannot be made.
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

test('a client whose connection breaks again and again misses nothing of 1,000 changes, and hears nothing twice', async () => {
  const before = await lastId();
  const broken = await Promise.all(Array.from({ length: 3 }, () => followBreaking(before)));
  const breaking = setInterval(() => {
    for (const { cut } of broken) cut();
  }, 400);
  await change(500);
  // Each of them has broken by now, however fast the changes are.
  for (const { follower } of broken) await expect.poll(() => follower.connections).toBeGreaterThan(1);
  await change(500);
  clearInterval(breaking);
  const ids = await idsAfter(before);
  for (const { follower } of broken) {
    await follower.until(ids.length);
    await follower.stop();
    expect(follower.received.map(({ id }) => id)).toEqual(ids);
  }
});

test('a client that resumes after every 20 events, on one instance and the other, reads each event once', async () => {
  const before = await lastId();
  const changes = change(500);
  const heard: number[] = [];
  for (let connections = 0; heard.length < 500; connections++) {
    const instance = connections % 2 === 0 ? backoffice.service : second;
    const leaving = new AbortController();
    const after = heard.at(-1) ?? before;
    const client = clientWith(instance.url, backoffice.superadmin.cookie);
    for await (const { id } of client.follow({ after, signal: leaving.signal })) {
      heard.push(id);
      if (heard.length % 20 === 0) break;
    }
    leaving.abort();
  }
  await changes;
  expect(heard).toEqual(await idsAfter(before));
});

/** Follows without reading what comes. */
async function followAsleep({ url }: TestService) {
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
  return {
    /** Reads what has come. */
    wake: () => socket.resume(),
    isClosed: () => closed,
    leave: () => socket.destroy(),
  };
}

test('clients that read nothing cost no memory, and the others nothing at all', {
  timeout: 120_000,
}, async () => {
  const asleep = await Promise.all(Array.from({ length: 20 }, () => followAsleep(second)));
  let heard = 0;
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();
  const awake = (async () => {
    // Counted and not kept, so that the memory is the service's own.
    const news = clientWith(second.url, backoffice.superadmin.cookie).follow({
      signal: leaving.signal,
      onConnect: connected.resolve,
    });
    for await (const { type } of news) if (type === 'issue.created') heard++;
  })();
  await connected.promise;
  await change(1);
  await expect.poll(() => heard).toBe(1);
  const before = usedMemory();
  // Of 1,000 events of 60 kB each, a buffer for every sleeper would hold 1.2 GB.
  await tellLong(1_000);
  await expect.poll(() => heard, { timeout: 90_000 }).toBe(1_001);
  const grown = usedMemory() - before;
  console.log(`20 sleepers, 60 MB of events: memory grown by ${(grown / 1e6).toFixed(1)} MB`);
  expect(grown).toBeLessThan(100e6);
  for (const sleeper of asleep) sleeper.leave();
  leaving.abort();
  await awake;
});

test('a client that leaves what it got untouched is cut off, and one that reads is not', async () => {
  const impatient = await startTestService(
    { DATABASE_URL: backoffice.service.databaseUrl },
    // Longer than a busy machine keeps the reader from its turn.
    { stallTimeoutMs: 5_000, maxFollowers: 2 },
  );
  const comeToo = async () => {
    const { status, body } = await impatient.fetch('/api/admin/events', {
      headers: { cookie: backoffice.superadmin.cookie },
    });
    await body?.cancel();
    return status;
  };
  try {
    const asleep = await followAsleep(impatient);
    const awake = await follow(clientWith(impatient.url, backoffice.superadmin.cookie));
    // More than the buffers of both ends of a connection hold.
    await tellLong(300);
    await awake.until(300);
    // Asleep it cannot see the end: that its place is free again tells of it.
    await expect.poll(comeToo).toBe(200);
    asleep.wake();
    await expect.poll(asleep.isClosed).toBe(true);
    expect(awake.connections).toBe(1);
    await awake.stop();
  } finally {
    await impatient.stop();
  }
});
