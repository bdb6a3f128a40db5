import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/contract/client/client.ts';
import { migrateUp } from '../../src/db/migrate/index.ts';
import type { RunningJobs } from '../../src/jobs/start.ts';
import { createApiToken } from '../../src/services/sign-in/api-tokens.ts';
import { type ControlledPostgres, controlledPostgres } from '../support/database/controlled-postgres.ts';
import { createEmptyDatabase } from '../support/database/database.ts';
import { withClient } from '../support/http/admin-client.ts';
import { type Receiver, startReceiver, withStatus } from '../support/http/receiver.ts';
import { startTestService, type TestService } from '../support/http/service.ts';
import { jobsOf } from '../support/http/webhooks.ts';
import { killAmidChanges, serveProcess } from '../support/terminal/killed-server.ts';

const allowed = { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' };
const resources: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const release of resources.splice(0).reverse()) await release();
});

function keep<T>(resource: T, release: (resource: T) => Promise<unknown>): T {
  resources.push(() => release(resource));
  return resource;
}

const receiverOfThisTest = async () => keep(await startReceiver(), (receiver) => receiver.close());
const serviceOn = async (env: Record<string, string> = {}) =>
  keep(await startTestService({ ...allowed, ...env }), (service) => service.stop());
const jobsOn = (service: TestService): RunningJobs => keep(jobsOf(service), (jobs) => jobs.stop());

async function rowsOf<Row>(databaseUrl: string, query: string): Promise<Row[]> {
  return await withClient(databaseUrl, async (client) => (await client.query(query)).rows);
}

async function messageIds(databaseUrl: string): Promise<string[]> {
  const events = `select 'evt_' || id as id from events where type like 'issue.%' order by events.id`;
  return (await rowsOf<{ id: string }>(databaseUrl, events)).map(({ id }) => id);
}

/** Resolves when each of those messages has arrived; the receiver may get one more than once. */
async function untilAllOf(wanted: readonly string[], { arrivals }: Receiver): Promise<void> {
  const missing = () => {
    const there = new Set(arrivals.map(({ id }) => id));
    return wanted.filter((id) => !there.has(id)).length;
  };
  // They come one after the other. However slowly that goes, it fails only where no more come.
  for (let left = missing(); left > 0; left = missing()) {
    await expect.poll(missing, { interval: 50 }).toBeLessThan(left);
  }
}

/** Resolves when so many workers have shown that they work on the queue. */
async function untilWorking(databaseUrl: string, workers: number): Promise<void> {
  await expect.poll(() => rowsOf(databaseUrl, 'select from job_workers')).toHaveLength(workers);
}

test('a server that is killed in the middle of 1,000 changes: each event reaches a receiver, under one id', {
  timeout: 180_000,
}, async () => {
  const receiver = await receiverOfThisTest();
  const { databaseUrl, services } = await serviceOn();
  const made = { name: 'changes', role: 'superadmin', createdBy: 'tests', expiresAt: null } as const;
  const { secret: token } = await createApiToken(services.databases.primary, made);
  const start = async () =>
    keep(await serveProcess(databaseUrl, allowed), ({ command }) => command.stop('SIGKILL'));

  const server = await start();
  const client = createClient({ baseUrl: server.url, token });
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.created', 'issue.updated'] });
  // Only then is it killed in the middle of sending, too.
  await client.call('issues.create', { title: 'The first' });
  await receiver.until(1);
  const killed = await killAmidChanges(server, client);
  expect(killed.created.length + killed.closed.length).toBeLessThan(1_000);
  const wanted = await messageIds(databaseUrl);
  const before = receiver.arrivals.length;
  expect(before).toBeLessThan(wanted.length);

  const began = performance.now();
  await start();
  await untilAllOf(wanted, receiver);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const twice = receiver.arrivals.length - wanted.length;
  console.log(
    `${wanted.length} events, ${before} had arrived; all did ${seconds} s after the next start, ${twice} of them twice`,
  );

  // Whatever came twice was the same, and nothing came that did not happen.
  const bodies = Map.groupBy(receiver.arrivals, ({ id }) => id);
  expect([...bodies.keys()].toSorted()).toEqual(wanted.toSorted());
  for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  const states = `select status, count(*)::int from webhook_deliveries where type like 'issue.%' group by status`;
  await expect
    .poll(() => rowsOf(databaseUrl, states))
    .toEqual([{ status: 'succeeded', count: wanted.length }]);
});

test('two instances share the work, and each message is sent once', { timeout: 120_000 }, async () => {
  const receivers = await Promise.all([receiverOfThisTest(), receiverOfThisTest(), receiverOfThisTest()]);
  const first = await serviceOn();
  const second = await serviceOn({ DATABASE_URL: first.databaseUrl });
  const { client } = await first.signIn('superadmin');
  for (const { url } of receivers) await client.call('webhooks.create', { url, events: ['issue.created'] });
  for (const service of [first, second]) jobsOn(service);
  await untilWorking(first.databaseUrl, 2);
  await Promise.all(
    Array.from({ length: 100 }, (_, number) => client.call('issues.create', { title: `Issue ${number}` })),
  );
  const wanted = await messageIds(first.databaseUrl);
  for (const receiver of receivers) {
    await untilAllOf(wanted, receiver);
    expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  }
});

describe('a database that goes away', () => {
  let postgres: ControlledPostgres;

  async function withPostgres(): Promise<{ service: TestService; receiver: Receiver }> {
    postgres = keep(await controlledPostgres(), (controlled) => controlled.remove());
    const service = await serviceOn({ DATABASE_URL: postgres.url });
    return { service, receiver: await receiverOfThisTest() };
  }

  test('and comes back finds the jobs going on', { timeout: 120_000 }, async () => {
    const { service, receiver } = await withPostgres();
    const { client } = await service.signIn('superadmin');
    await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
    jobsOn(service);
    await client.call('issues.create', { title: 'before' });
    await receiver.until(1);

    // It goes in the middle of a delivery, whose outcome can then not be written down.
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let answer = () => {};
    receiver.answer = (response, arrival) => {
      answer = () => withStatus(204)(response, arrival);
      arrived();
    };
    await client.call('issues.create', { title: 'in the middle' });
    await underWay;
    await postgres.stop();
    answer();
    receiver.answer = withStatus(204);
    await postgres.start();

    await untilAllOf(await messageIds(postgres.url), receiver);
    const create = () =>
      client.call('issues.create', { title: 'after' }).then(
        () => true,
        () => false,
      );
    await expect.poll(create).toBe(true);
    await untilAllOf(await messageIds(postgres.url), receiver);
    await expect
      .poll(
        () => rowsOf(postgres.url, `select status, count(*)::int from webhook_deliveries group by status`),
        {
          timeout: 45_000,
        },
      )
      .toEqual([{ status: 'succeeded', count: 3 }]);
  });

  test('at the start is waited for, as is its schema', async () => {
    const { service, receiver } = await withPostgres();
    const { client } = await service.signIn('superadmin');
    await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
    await postgres.stop();
    jobsOn(service);
    await expect(client.call('issues.create', { title: 'nowhere' })).rejects.toMatchObject({ status: 500 });
    await postgres.start();
    const create = () =>
      client.call('issues.create', { title: 'there' }).then(
        () => true,
        () => false,
      );
    await expect.poll(create).toBe(true);
    await receiver.until(1);
  });

  test('that does not answer holds up no stop', async () => {
    const { service } = await withPostgres();
    const jobs = jobsOf(service);
    await untilWorking(postgres.url, 1);
    await postgres.freeze();
    // Before anything else is released, which would wait for it.
    resources.push(() => postgres.thaw());
    const began = performance.now();
    await jobs.stop();
    // It waits for six seconds, and without an end it would for as long as the database is frozen.
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

test('a database without a schema is waited for, and left as it is', async () => {
  const { url } = keep(await createEmptyDatabase(), (database) => database.drop());
  const service = await serviceOn({ DATABASE_URL: url });
  jobsOn(service);
  const tables = `select from pg_class where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)`;
  await expect
    .poll(() =>
      rowsOf(
        url,
        `select from pg_stat_activity
         where datname = current_database() and query like '%public.migrations%' and pid <> pg_backend_pid()`,
      ),
    )
    .not.toEqual([]);
  expect(await rowsOf(url, tables)).toEqual([]);
  await migrateUp({ databaseUrl: url });
  await untilWorking(url, 1);
});

test('a stop breaks off what hangs, and the message is sent again by the next instance', async () => {
  const receiver = await receiverOfThisTest();
  const service = await serviceOn();
  const { client } = await service.signIn('superadmin');
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
  receiver.answer = () => {};
  const jobs = jobsOf(service);
  await client.call('issues.create', { title: 'T' });
  await receiver.until(1);
  await jobs.stop();

  receiver.answer = withStatus(204);
  jobsOn(service);
  await receiver.until(2);
  const [id] = await messageIds(service.databaseUrl);
  expect(receiver.arrivals.map((arrival) => arrival.id)).toEqual([id, id]);
  // Broken off, it was no attempt; waited for in vain, it would have been one.
  const states = 'select status, attempts from webhook_deliveries';
  await expect
    .poll(() => rowsOf(service.databaseUrl, states))
    .toEqual([{ status: 'succeeded', attempts: 1 }]);
});
