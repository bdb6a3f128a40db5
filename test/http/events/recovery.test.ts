import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../../src/contract/client/client.ts';
import { addAccount } from '../../support/here/accounts.ts';
import { follow } from '../../support/here/events.ts';
import { bearer, postWithKey } from '../../support/here/requests.ts';
import { createApiToken } from '../../support/here/tokens.ts';
import { startTestService } from '../../support/here.ts';
import { controlledPostgres } from '../../support/postgres/control.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';
import { startReceiver } from '../../support/receivers.ts';
import { disagreements, serveProcess } from '../../support/run/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';

async function eventIds(databaseUrl: string): Promise<number[]> {
  const select = 'select id::int from events order by id';
  const { rows } = await withClient(databaseUrl, (client) => client.query<{ id: number }>(select));
  return rows.map(({ id }) => id);
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
    const eventLimits = { heartbeatMs: 200 };
    const service = await startTestService({ DATABASE_URL: postgres.url }, { eventLimits });
    onTestFinished(() => service.stop());
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
    const service = await startTestService();
    onTestFinished(() => service.stop());
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
const kills = isSlowRun ? 15 : 2;
const writers = 12;
/** Publishing connections that are ended at least. A slow machine takes longer for them. */
const minEnded = 3 * kills;

const own = databaseHere();

test('no change, event or message is missed, doubled or out of order while instances and their publishers are killed', {
  timeout: (seconds + 110) * 1_000,
}, async () => {
  const receiver = await startReceiver();
  await addAccount(own.url);
  const wanted = { name: 'tests', role: 'superadmin', createdBy: 'tests', expiresAt: null } as const;
  const { secret: token } = await createApiToken(own.pool, wanted);
  const start = async () => {
    const server = await serveProcess(own.url, { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
    onTestFinished(async () => void (await server.command.stop('SIGKILL')));
    return server;
  };
  const instances = await Promise.all([start(), start()]);
  let requests = 0;
  const anyUrl = () => instances[requests++ % 2]?.url ?? '';
  const fetchAnywhere = (path: unknown, init?: RequestInit) => fetch(`${anyUrl()}${path}`, init);
  const client = createClient({ baseUrl: '', token, fetch: fetchAnywhere });
  await client.call('webhooks.create', { url: receiver.url, events: ['issue.updated'] });
  const follower = await follow(client, { after: 0 });

  const end = Date.now() + seconds * 1_000;
  const done = { ended: 0, killed: 0, repeated: 0 };
  const isOver = () => Date.now() >= end && done.ended >= minEnded && done.killed === kills;
  /** Repeats a request until it is answered. A broken connection is expected; an error is not. */
  const untilAnswered = async <T>(send: () => Promise<T | undefined>): Promise<T> => {
    for (; ; await sleep(20)) {
      const answer = await send().catch((error) => {
        if (!(error instanceof TypeError)) throw error;
      });
      if (answer !== undefined) return answer;
      done.repeated++;
    }
  };
  /** Creates an issue under its own key. Returns undefined while an earlier request with it still runs. */
  const create = async (title: string): Promise<number | undefined> => {
    const { status, text } = await postWithKey(anyUrl(), bearer(token), '/issues', { title }, title);
    if (status === 409) return undefined;
    expect(status).toBe(200);
    return JSON.parse(text).id;
  };
  const created: { id: number; title: string }[] = [];
  const write = async (writer: number) => {
    for (let round = 0; !isOver(); round++) {
      const title = `${writer} ${round}`;
      const id = await untilAnswered(() => create(title));
      created.push({ id, title });
      if (round % 20 !== 0) continue;
      await untilAnswered(() => client.call('issues.changeStatus', { id, status: 'Closed' }));
    }
  };
  const endPublishers = async () => {
    for (; !isOver(); await sleep(200)) {
      const { rowCount } = await own.client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%from publish_changes(%' and pid <> pg_backend_pid()
      `);
      done.ended += rowCount ?? 0;
    }
  };
  const killInstances = async () => {
    for (; done.killed < kills; done.killed++) {
      await sleep((seconds * 1_000) / (kills + 1));
      await instances[done.killed % 2]?.command.stop('SIGKILL');
      instances[done.killed % 2] = await start();
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  await Promise.all([...writing, endPublishers(), killInstances()]);

  // Each request has created one issue, and its answer is that of this issue.
  const issues = await own.sql<{ status: string }>('select id::int, title, status from issues order by id');
  expect(issues.map(({ status, ...issue }) => issue)).toEqual(created.toSorted((a, b) => a.id - b.id));
  // The webhook has a key, too.
  expect(await own.sql('select from idempotency_keys')).toHaveLength(created.length + 1);
  expect(issues.filter(({ status }) => status === 'Closed').length).toBeGreaterThanOrEqual(writers);
  expect(done.repeated).toBeGreaterThan(0);

  // The instances publish what is left by themselves.
  await expect.poll(() => own.sql('select from recorded_changes')).toEqual([]);
  const ids = await eventIds(own.url);
  await follower.until(ids.length);
  await follower.stop();
  expect(follower.received.map(({ id }) => id)).toEqual(ids);
  expect(follower.connections).toBeGreaterThan(1);
  // Each issue was created by one event, and each event has its audit record.
  expect(await disagreements(own.url)).toEqual([]);

  const updates = follower.received.filter(({ type }) => type === 'issue.updated');
  const messages = updates.map(({ id }) => `evt_${id}`).toSorted();
  const arrived = () => [...new Set(receiver.arrivals.map(({ id }) => id))].toSorted();
  await expect.poll(arrived, { timeout: 60_000 }).toEqual(messages);
  // Proves that the comparison can fail.
  await own.sql('delete from events where id = $1', [ids.at(-1)]);
  expect(await disagreements(own.url)).toHaveLength(1);
  await receiver.close();
});
