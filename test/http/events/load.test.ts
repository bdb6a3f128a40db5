import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { followEvents } from '../../../src/contract/client/follow.ts';
import { follow } from '../../support/here/events.ts';
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
const longEvents = isSlowRun ? 1_000 : 300;
const second = instanceHere(backoffice, {}, { eventLimits: { maxPerActor: 50 } });

/** Inserts that many events of 60 kB in batches. Changes make shorter events, because their texts are truncated. */
async function insertLongEvents(total: number): Promise<void> {
  for (let inserted = 0; inserted < total; inserted += 50) {
    await backoffice.sql(
      `insert into events (type, subject_id, actor, data)
       select 'issue.created', n, 'tests', jsonb_build_object('title', repeat('x', 60000)) from generate_series(1, 50) as n`,
    );
  }
}

/** Follows without reading. Returns the connection. */
async function followWithoutReading({ url }: TestService) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { cookie } = backoffice.superadmin;
  socket.write(`GET /api/admin/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket.on('error', () => {});
}

test('clients that do not read cost no memory and do not slow others down', async () => {
  const asleep = await Promise.all(Array.from({ length: 20 }, () => followWithoutReading(second)));
  let heard = 0;
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();
  const awake = (async () => {
    // Counts the events without keeping them, so that only the service uses memory.
    const news = followEvents(clientWith(second.url, backoffice.superadmin.cookie), {
      signal: leaving.signal,
      onConnect: connected.resolve,
    });
    for await (const { type } of news) if (type === 'issue.created') heard++;
  })();
  await connected.promise;
  await backoffice.superadmin.client.call('issues.create', { title: 'T' });
  await expect.poll(() => heard).toBe(1);
  const before = isSlowRun ? usedMemory() : 0;
  // A buffer per client would hold 360 MB: 300 events of 60 kB for each of 20.
  await insertLongEvents(longEvents);
  await expect.poll(() => heard, { timeout: 90_000 }).toBe(longEvents + 1);
  if (isSlowRun) expect(usedMemory() - before).toBeLessThan(100e6);
  for (const sleeper of asleep) sleeper.destroy();
  leaving.abort();
  await awake;
});

test('disconnects a client that does not read, and not one that does', async () => {
  // Longer than a busy machine delays the reader.
  const eventLimits = { stallTimeoutMs: 5_000, maxFollowers: 2 };
  const strict = await startInstance(backoffice, {}, { eventLimits });
  const followBriefly = async () => (await apiAs(strict.url, backoffice.superadmin).get('/events')).status;
  const asleep = await followWithoutReading(strict);
  const awake = await follow(clientWith(strict.url, backoffice.superadmin.cookie));
  // More than the buffers at both ends of a connection hold.
  await insertLongEvents(300);
  await awake.until(300);
  // It does not notice the end while it does not read, but its place is free again.
  await expect.poll(followBriefly).toBe(200);
  asleep.resume();
  await expect.poll(() => asleep.closed).toBe(true);
  expect(awake.connections).toBe(1);
  await awake.stop();
});
