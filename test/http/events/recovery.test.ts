import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Client, createClient, ResponseError } from '../../../src/contract/client/client.ts';
import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { addAccount } from '../../support/here/accounts.ts';
import { type Follower, follow } from '../../support/here/events.ts';
import { bearer, postWithKey } from '../../support/here/requests.ts';
import { createApiToken } from '../../support/here/tokens.ts';
import {
  backofficeHere,
  openSession,
  startInstance,
  startTestService,
  type TestService,
} from '../../support/here.ts';
import { controlledPostgres } from '../../support/postgres/control.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';
import { startReceiver } from '../../support/receivers.ts';
import { disagreements, type ServerProcess, serveProcess } from '../../support/run/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';

/** Starts a service until the end of the test. */
async function serviceOf(...parameters: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...parameters);
  onTestFinished(() => service.stop());
  return service;
}

/** Starts a server in a process of its own, until the end of the test. */
async function serverOf(...parameters: Parameters<typeof serveProcess>): Promise<ServerProcess> {
  const server = await serveProcess(...parameters);
  onTestFinished(async () => void (await server.command.stop('SIGKILL')));
  return server;
}

async function eventIds(databaseUrl: string): Promise<number[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query('select id from events order by id'),
  );
  return rows.map(({ id }) => Number(id));
}

/** Tries until it succeeds: a lost connection that is still in the pool fails one request. */
async function reportAfterLoss(client: Client): Promise<void> {
  const report = () => client.call('issues.create', { title: 'after' }).catch(() => undefined);
  await expect.poll(report).toBeDefined();
}

describe('a database outage', () => {
  test('breaks no stream and loses no event', async () => {
    const postgres = await controlledPostgres();
    onTestFinished(() => postgres.remove());
    // A check of access becomes due during the outage.
    const service = await serviceOf({ DATABASE_URL: postgres.url }, { eventLimits: { heartbeatMs: 200 } });
    const { client } = await service.signIn('superadmin');
    const follower = await follow(client, { after: 0 });
    await client.call('issues.create', { title: 'before' });
    await follower.until(({ type }) => type === 'issue.created');

    await postgres.stop();
    await expect(client.call('issues.create', { title: 'meanwhile' })).rejects.toMatchObject({ status: 500 });
    await postgres.start();
    await reportAfterLoss(client);
    await client.call('settings.update', { key: 'after', value: 'all' });
    await follower.until(({ type }) => type === 'setting.updated');
    await follower.stop();
    expect(follower.received.map(({ id }) => id)).toEqual(await eventIds(postgres.url));
    expect(follower.connections).toBe(1);
  });

  test('that ends with a restored backup sends a gap, then new events', async () => {
    const service = await serviceOf();
    const { client } = await service.signIn('superadmin');
    await client.call('issues.create', { title: 'before' });
    const [kept] = (await eventIds(service.databaseUrl)).slice(-1);
    const follower = await follow(client);
    await client.call('issues.create', { title: 'lost' });
    await follower.until(1);
    await withClient(service.databaseUrl, async (database) => {
      // Like a restored backup: later commits and all connections are gone.
      await database.query('delete from events where id > $1', [kept]);
      await database.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
      `);
    });
    await follower.until(2);
    await reportAfterLoss(client);
    await follower.until(3);
    await follower.stop();
    expect(follower.received.slice(1)).toEqual([
      { id: kept, type: 'gap', asked: follower.received[0]?.id },
      expect.objectContaining({ type: 'issue.created', data: expect.objectContaining({ title: 'after' }) }),
    ]);
  });
});

const seconds = isSlowRun ? 60 : 2;
const kills = isSlowRun ? 60 : 1;
const writers = 6;
/** Publishing connections that are ended at least. A slow machine takes longer for them. */
const minEnded = 3 * kills;

const own = databaseHere();

test('no change, event or message is missed, doubled or out of order while instances and their publishers are killed', {
  timeout: (seconds + 110) * 1_000,
}, async () => {
  const receiver = await startReceiver();
  await addAccount(own.url);
  const databases = connectDatabases({ databaseUrl: own.url });
  const { secret: token } = await createApiToken(databases.primary, {
    ...{ name: 'tests', role: 'superadmin', createdBy: 'tests', expiresAt: null },
  });
  await databases.close();
  const start = () => serverOf(own.url, { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
  const instances = await Promise.all([start(), start()]);
  const urlOf = (index: number) => instances[index % 2]?.url ?? '';
  const clientOf = (index: number) => createClient({ baseUrl: urlOf(index), token });
  await clientOf(0).call('webhooks.create', { url: receiver.url, events: ['issue.updated'] });
  let attempts = 0;
  const fetchAnywhere = (path: unknown, init?: RequestInit) => fetch(`${urlOf(attempts++)}${path}`, init);
  const follower = await follow(createClient({ baseUrl: '', token, fetch: fetchAnywhere }), { after: 0 });

  const end = Date.now() + seconds * 1_000;
  let ended = 0;
  const isOver = () => Date.now() >= end && ended >= minEnded;
  const [created, closed]: [number[], number[]] = [[], []];
  const write = async (writer: number) => {
    for (let round = 0; !isOver(); round++) {
      try {
        const { id } = await clientOf(writer + round).call('issues.create', { title: `${writer} ${round}` });
        created.push(id);
        if (round % 20 !== 0) continue;
        await clientOf(writer).call('issues.changeStatus', { id, status: 'Closed' });
        closed.push(id);
      } catch (error) {
        // A broken connection is expected; an error response is not.
        if (error instanceof ResponseError) throw error;
        await sleep(20);
      }
    }
  };
  const endPublishers = async () => {
    for (; !isOver(); await sleep(200)) {
      const { rowCount } = await own.client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%from publish_changes(%' and pid <> pg_backend_pid()
      `);
      ended += rowCount ?? 0;
    }
  };
  const killInstances = async () => {
    for (let kill = 0; kill < kills && !isOver(); kill++) {
      await sleep((seconds * 1_000) / (kills + 1));
      await instances[kill % 2]?.command.stop('SIGKILL');
      instances[kill % 2] = await start();
    }
  };
  await Promise.all([
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...[endPublishers(), killInstances()],
  ]);

  // The instances publish what is left by themselves.
  await expect.poll(() => own.sql('select from recorded_changes')).toEqual([]);
  const ids = await eventIds(own.url);
  await follower.until(ids.length);
  await follower.stop();
  const seen = follower.received;
  expect(seen.map(({ id }) => id)).toEqual(ids);
  expect(follower.connections).toBeGreaterThan(1);
  // Each change that was answered has an event. One without an answer may have one.
  const subjectsOf = (type: string) =>
    seen.flatMap((event) => (event.type === type ? Number(event.subject_id) : []));
  expect(subjectsOf('issue.created')).toEqual(expect.arrayContaining(created));
  expect(subjectsOf('issue.updated')).toEqual(expect.arrayContaining(closed));
  // Each issue that exists was created by one event, and each event has its audit record.
  expect(await disagreements(own.url)).toEqual([]);

  const messages = seen.filter(({ type }) => type === 'issue.updated').map(({ id }) => `evt_${id}`);
  const arrived = () => [...new Set(receiver.arrivals.map(({ id }) => id))].toSorted();
  await expect.poll(arrived, { timeout: 60_000 }).toEqual(messages.toSorted());
  // Proves that the comparison can fail.
  await own.sql('delete from events where id = $1', [ids.at(-1)]);
  expect(await disagreements(own.url)).toHaveLength(1);
  console.log(
    `${ids.length} events, ${ended} publishing connections ended, ${kills} instances killed, ${messages.length} messages sent`,
  );
  await receiver.close();
});

const backoffice = backofficeHere();
const dayMs = 24 * 3_600_000;

test.for([
  ['forward', dayMs],
  ['back', -dayMs],
] as const)('a clock that jumps a day %s ends and loses nothing', async ([way, changeMs]) => {
  const heartbeatMs = 200;
  const instance = await startInstance(backoffice, {}, { eventLimits: { heartbeatMs } });
  const { superadmin, sql } = backoffice;
  const own = await instance.signIn('user');
  const token = bearer((await instance.createToken('user')).secret);
  const key = `jump ${way}`;
  const created = await postWithKey(instance.url, token, '/issues', { title: way }, key);
  const followers: Follower[] = [await follow(own.client), await follow(superadmin.client)];

  // The clock of the service; its timers and the database go on.
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + changeMs });
  for (const headers of [{ cookie: own.cookie }, token]) {
    const answer = await instance.fetch('/api/admin/issues?limit=1', { headers });
    expect(answer.status).toBe(200);
  }
  // A day is all that a key lasts.
  const repeated = await postWithKey(instance.url, token, '/issues', { title: way }, key);
  expect(repeated).toMatchObject({ text: created.text, replayed: true });
  await openSession(instance.url, own.email);
  const { id } = await own.client.call('issues.create', { title: `After, ${way}` });
  for (const follower of followers) await follower.until(({ type }) => type === 'issue.created');
  const [row] = await sql<{ isNow: boolean }>(
    `select abs(extract(epoch from now() - created_at)) < 3600 as "isNow" from issues where id = $1`,
    [id],
  );
  expect(row).toEqual({ isNow: true });

  // The next check of access, which only a heartbeat makes, ends the stream.
  await sql('delete from sessions where admin_id = $1', [own.id]);
  expect(await followers[0]?.ended).toMatchObject({ status: 401 });
  await followers[1]?.stop();
});
