import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../src/contract/client/client.ts';
import { migrateUp } from '../../src/db/migrate/migrate.ts';
import type { RunningJobs } from '../../src/jobs/start.ts';
import { addAccount } from '../support/here/accounts.ts';
import { startTestService, type TestService } from '../support/here.ts';
import { type ControlledPostgres, controlledPostgres } from '../support/postgres/control.ts';
import { queryRows } from '../support/postgres/seeded.ts';
import { withClient, withDatabase } from '../support/postgres/server.ts';
import { asOwner, asRuntime, createEmptyDatabase } from '../support/postgres.ts';
import { type Receiver, respondWith, startJobsOf, startReceiver } from '../support/receivers.ts';
import { killAmidChanges, serveProcess } from '../support/run/server.ts';
import { isSlowRun } from '../support/slow-run.ts';

/** Their messages are sent one by one. */
const changes = isSlowRun ? 1_000 : 150;

const allowed = { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' };

/** Releases a resource when the test ends, the newest first. */
function keep<T>(resource: T, release: (resource: T) => Promise<unknown>): T {
  onTestFinished(async () => {
    await release(resource);
  });
  return resource;
}

const receiverOfThisTest = async () => keep(await startReceiver(), (receiver) => receiver.close());
const serviceOn = async (env: Record<string, string> = {}) =>
  keep(await startTestService({ ...allowed, ...env }), (service) => service.stop());
const jobsOn = (service: TestService): RunningJobs => keep(startJobsOf(service), (jobs) => jobs.stop());

async function messageIds(databaseUrl: string): Promise<string[]> {
  const events = `select 'evt_' || id as id from events where type like 'issue.%' order by events.id`;
  return (await queryRows<{ id: string }>(databaseUrl, events)).map(({ id }) => id);
}

/** Resolves when each of the messages has arrived. The receiver may get a message more than once. */
async function untilReceived(wanted: readonly string[], { arrivals }: Receiver): Promise<void> {
  const missing = () => {
    const received = new Set(arrivals.map(({ id }) => id));
    return wanted.filter((id) => !received.has(id)).length;
  };
  // Messages arrive one by one. This fails only if no more arrive, however slow they are.
  for (let left = missing(); left > 0; left = missing()) {
    await expect.poll(missing, { interval: 50 }).toBeLessThan(left);
  }
}

/** Resolves when that many workers are working on the queue. */
async function untilWorking(databaseUrl: string, workers: number): Promise<void> {
  await expect.poll(() => queryRows(databaseUrl, 'select from job_workers')).toHaveLength(workers);
}

test('each event reaches a receiver under one id when a server is killed in the middle of many changes', {
  timeout: 180_000,
}, async () => {
  const receiver = await receiverOfThisTest();
  const service = await serviceOn();
  const { databaseUrl } = service;
  await addAccount(databaseUrl);
  const { secret: token } = await service.createToken('superadmin');
  const start = async () =>
    keep(await serveProcess(databaseUrl, allowed), ({ command }) => command.stop('SIGKILL'));

  const server = await start();
  const client = createClient({ baseUrl: server.url, token });
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.created', 'issue.updated'] });
  // So that the kill also interrupts the sending.
  await client.call('issues.create', { title: 'The first' });
  await receiver.until(1);
  const killed = await killAmidChanges(server, client, { changes, killAfter: changes / 5 });
  expect(killed.created.length + killed.closed.length).toBeLessThan(changes);
  const wanted = await messageIds(databaseUrl);
  const before = receiver.arrivals.length;
  expect(before).toBeLessThan(wanted.length);

  const startedAt = performance.now();
  await start();
  await untilReceived(wanted, receiver);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const twice = receiver.arrivals.length - wanted.length;
  console.log(
    `${wanted.length} events, ${before} had arrived; all had ${seconds} s after the next start, ${twice} of them twice`,
  );

  // Repeated messages are identical, and no message is without an event.
  const bodies = Map.groupBy(receiver.arrivals, ({ id }) => id);
  expect([...bodies.keys()].toSorted()).toEqual(wanted.toSorted());
  for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  const states = `select status, count(*)::int from webhook_deliveries where type like 'issue.%' group by status`;
  await expect
    .poll(() => queryRows(databaseUrl, states))
    .toEqual([{ status: 'succeeded', count: wanted.length }]);
});

test('two instances share the work and send each message once', async () => {
  const receivers = await Promise.all([receiverOfThisTest(), receiverOfThisTest(), receiverOfThisTest()]);
  const first = await serviceOn();
  const second = await serviceOn({ DATABASE_URL: first.databaseUrl });
  const { client } = await first.signIn('superadmin');
  for (const { url } of receivers) await client.call('webhooks.create', { url, events: ['issue.created'] });
  for (const service of [first, second]) jobsOn(service);
  await untilWorking(first.databaseUrl, 2);
  await Promise.all(
    Array.from({ length: changes / 5 }, (_, number) =>
      client.call('issues.create', { title: `Issue ${number}` }),
    ),
  );
  const wanted = await messageIds(first.databaseUrl);
  for (const receiver of receivers) {
    await untilReceived(wanted, receiver);
    expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  }
});

describe('the job worker', () => {
  let postgres: ControlledPostgres;
  let url: string;

  beforeAll(async () => {
    postgres = await controlledPostgres();
  });
  afterAll(() => postgres?.remove());

  /** Starts a service on a new database of the server that the tests stop and start. */
  async function withPostgres(): Promise<{ service: TestService; receiver: Receiver }> {
    const name = `test_${crypto.randomUUID()}`;
    await withClient(withDatabase(postgres.url, 'postgres'), (client) =>
      client.query(`create database "${name}" template backoffice`),
    );
    url = withDatabase(postgres.url, name);
    const service = await serviceOn({ DATABASE_URL: url });
    return { service, receiver: await receiverOfThisTest() };
  }

  /** Creates an issue as soon as the database is back. */
  async function untilCreated(client: Client, title: string): Promise<void> {
    const created = () =>
      client.call('issues.create', { title }).then(
        () => true,
        () => false,
      );
    await expect.poll(created).toBe(true);
  }

  test('waits for a database that is down at the start, and continues after an outage in the middle', async () => {
    const { service, receiver } = await withPostgres();
    const { client } = await service.signIn('superadmin');
    await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
    await postgres.stop();
    jobsOn(service);
    await expect(client.call('issues.create', { title: 'nowhere' })).rejects.toMatchObject({ status: 500 });
    await postgres.start();
    await untilCreated(client, 'there');
    await receiver.until(1);

    // The database stops in the middle of a delivery, so the outcome cannot be recorded.
    const arrived = Promise.withResolvers<void>();
    let answer = () => {};
    receiver.respond = (response, arrival) => {
      answer = () => respondWith(204)(response, arrival);
      arrived.resolve();
    };
    await client.call('issues.create', { title: 'in the middle' });
    await arrived.promise;
    await postgres.stop();
    answer();
    receiver.respond = respondWith(204);
    await postgres.start();

    await untilReceived(await messageIds(url), receiver);
    await untilCreated(client, 'after');
    await untilReceived(await messageIds(url), receiver);
    await expect
      .poll(() => queryRows(url, `select status, count(*)::int from webhook_deliveries group by status`), {
        timeout: 45_000,
      })
      .toEqual([{ status: 'succeeded', count: 3 }]);
  });

  test('stops although the database does not respond', async () => {
    const { service } = await withPostgres();
    const jobs = startJobsOf(service);
    await untilWorking(url, 1);
    await postgres.freeze();
    // Before the others, which need a running database.
    onTestFinished(() => postgres.thaw());
    const startedAt = performance.now();
    await jobs.stop();
    // It waits six seconds; without a limit it would wait as long as the database is frozen.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

test('the job worker waits for a schema and does not create one', async () => {
  const { url } = keep(await createEmptyDatabase(), (database) => database.drop());
  const service = await serviceOn({ DATABASE_URL: url });
  jobsOn(service);
  const tables = `select from pg_class where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)`;
  await expect
    .poll(() =>
      queryRows(
        url,
        `select from pg_stat_activity
         where datname = current_database() and query like '%public.migrations%' and pid <> pg_backend_pid()`,
      ),
    )
    .not.toEqual([]);
  expect(await queryRows(url, tables)).toEqual([]);
  await migrateUp({ databaseUrl: asOwner(url), runtimeUrl: asRuntime(url) });
  await untilWorking(url, 1);
});

test('a stop aborts a hanging delivery, and the next instance sends the message again', async () => {
  const receiver = await receiverOfThisTest();
  const service = await serviceOn();
  const { client } = await service.signIn('superadmin');
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
  receiver.respond = () => {};
  const jobs = startJobsOf(service);
  await client.call('issues.create', { title: 'T' });
  await receiver.until(1);
  await jobs.stop();

  receiver.respond = respondWith(204);
  jobsOn(service);
  await receiver.until(2);
  const [id] = await messageIds(service.databaseUrl);
  expect(receiver.arrivals.map((arrival) => arrival.id)).toEqual([id, id]);
  // An aborted delivery is not an attempt, a delivery that timed out would be.
  const states = 'select status, attempts from webhook_deliveries';
  await expect
    .poll(() => queryRows(service.databaseUrl, states))
    .toEqual([{ status: 'succeeded', attempts: 1 }]);
});
