import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/contract/client/client.ts';
import { migrateUp } from '../../src/db/migrate/migrate.ts';
import type { RunningJobs } from '../../src/jobs/start.ts';
import { addAccount } from '../support/here/accounts.ts';
import { startTestService, type TestService } from '../support/here.ts';
import { controlledPostgres } from '../support/postgres/control.ts';
import { queryRows } from '../support/postgres/seeded.ts';
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

/** How many deliveries of issues have each status. */
const states = `select status, count(*)::int from webhook_deliveries where type like 'issue.%' group by status`;

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
  expect(receiver.arrivals.length).toBeLessThan(wanted.length);

  await start();
  await untilReceived(wanted, receiver);
  // Repeated messages are identical, and no message is without an event.
  const bodies = Map.groupBy(receiver.arrivals, ({ id }) => id);
  expect([...bodies.keys()].toSorted()).toEqual(wanted.toSorted());
  for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
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
  const titles = Array.from({ length: changes / 5 }, (_, number) => `Issue ${number}`);
  await Promise.all(titles.map((title) => client.call('issues.create', { title })));
  const wanted = await messageIds(first.databaseUrl);
  for (const receiver of receivers) {
    await untilReceived(wanted, receiver);
    expect(receiver.arrivals.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  }
});

test('the job worker waits for a database that is down at the start, and continues after an outage in the middle', async () => {
  const postgres = keep(await controlledPostgres(), (server) => server.remove());
  const service = await serviceOn({ DATABASE_URL: postgres.url });
  const receiver = await receiverOfThisTest();
  const { client } = await service.signIn('superadmin');
  /** Creates an issue as soon as the database is back. */
  const untilCreated = (title: string) =>
    expect.poll(() => client.call('issues.create', { title }).catch(() => undefined)).toBeDefined();
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.created'] });
  await postgres.stop();
  jobsOn(service);
  await expect(client.call('issues.create', { title: 'nowhere' })).rejects.toMatchObject({ status: 500 });
  await postgres.start();
  await untilCreated('there');
  await receiver.until(1);

  // The database stops in the middle of a delivery, so the outcome cannot be recorded.
  const arrived = Promise.withResolvers<() => void>();
  receiver.respond = (...arrival) => arrived.resolve(() => respondWith(204)(...arrival));
  await client.call('issues.create', { title: 'in the middle' });
  const answer = await arrived.promise;
  await postgres.stop();
  answer();
  receiver.respond = respondWith(204);
  await postgres.start();

  await untilReceived(await messageIds(postgres.url), receiver);
  await untilCreated('after');
  await untilReceived(await messageIds(postgres.url), receiver);
  await expect
    .poll(() => queryRows(postgres.url, states), { timeout: 45_000 })
    .toEqual([{ status: 'succeeded', count: 3 }]);
});

test('the job worker waits for a schema and does not create one', async () => {
  const { url } = keep(await createEmptyDatabase(), (database) => database.drop());
  const service = await serviceOn({ DATABASE_URL: url });
  jobsOn(service);
  const looksForSchema = `select from pg_stat_activity
    where datname = current_database() and query like '%public.migrations%' and pid <> pg_backend_pid()`;
  await expect.poll(() => queryRows(url, looksForSchema)).not.toEqual([]);
  expect(await queryRows(url, `select from pg_namespace where nspname = 'graphile_worker'`)).toEqual([]);
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
  const attempts = 'select status, attempts from webhook_deliveries';
  await expect
    .poll(() => queryRows(service.databaseUrl, attempts))
    .toEqual([{ status: 'succeeded', attempts: 1 }]);
});
