import { afterEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../../src/contract/client/client.ts';
import { addAccount } from '../../support/here/accounts.ts';
import { follow } from '../../support/here/events.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { controlledPostgres } from '../../support/postgres/control.ts';
import { withClient } from '../../support/postgres/server.ts';
import { disagreements, killAmidChanges, serveProcess } from '../../support/run/server.ts';

const resources: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const release of resources.splice(0).reverse()) await release();
});

async function serviceOf(...parameters: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...parameters);
  resources.push(() => service.stop());
  return service;
}

async function eventIds(databaseUrl: string): Promise<number[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query('select id from events order by id'),
  );
  return rows.map(({ id }) => Number(id));
}

/** Tries until it succeeds: a lost connection that is still in the pool fails one request. */
async function reportAfterLoss(client: Client): Promise<void> {
  const report = () =>
    client.call('issues.create', { title: 'after' }).then(
      () => true,
      () => false,
    );
  await expect.poll(report).toBe(true);
}

describe('a server that is killed in the middle of 1,000 changes', () => {
  test('leaves data, events and audit records consistent, and a client that resumes receives every event', async () => {
    const other = await serviceOf();
    await addAccount(other.databaseUrl);
    const { secret: token } = await other.createToken('superadmin');
    const server = await serveProcess(other.databaseUrl);
    resources.push(() => server.command.stop('SIGKILL'));

    let currentUrl = server.url;
    const roaming = createClient({
      baseUrl: '',
      token,
      fetch: (path, init) => fetch(currentUrl + path, init),
    });
    const follower = await follow(roaming, { after: 0 });
    const killed = await killAmidChanges(server, createClient({ baseUrl: server.url, token }));
    currentUrl = other.url;

    const answered = killed.created.length + killed.closed.length;
    expect(answered).toBeGreaterThanOrEqual(500);
    expect(answered).toBeLessThan(1_000);
    expect(await disagreements(other.databaseUrl)).toEqual([]);
    // Every change that was answered is stored. One without an answer may be.
    const { rows } = await withClient(other.databaseUrl, (client) =>
      client.query(`select id::int from issues where id = any($1) or (id = any($2) and status = 'Closed')`, [
        killed.created,
        killed.closed,
      ]),
    );
    expect(rows).toHaveLength(killed.created.length);

    // One more change, so that there is something to resume for.
    await createClient({ baseUrl: other.url, token }).call('issues.create', { title: 'after' });
    const ids = await eventIds(other.databaseUrl);
    await follower.until(ids.length);
    await follower.stop();
    expect(follower.received.map(({ id }) => id)).toEqual(ids);
    expect(follower.connections).toBe(2);
    // Proves that the comparison can fail.
    await withClient(other.databaseUrl, (client) =>
      client.query('delete from events where id = $1', [ids.at(-1)]),
    );
    expect(await disagreements(other.databaseUrl)).toHaveLength(1);
    console.log(`${answered} changes answered, ${ids.length} events, each received once`);
  });
});

describe('a database outage', () => {
  test('breaks no stream and loses no event', async () => {
    const postgres = await controlledPostgres();
    resources.push(() => postgres.remove());
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

test('a server that stops ends its open streams cleanly', async () => {
  const service = await startTestService({}, { eventLimits: { maxPerActor: 30 } });
  const { cookie } = await service.signIn('user');
  const streams = await Promise.all(
    Array.from({ length: 30 }, () => service.fetch('/api/admin/events', { headers: { cookie } })),
  );
  const texts = streams.map((stream) => stream.text());
  await service.stop();
  // The server destroys streams that are still open after 8 s. A destroyed stream would reject.
  for (const text of await Promise.all(texts))
    expect(text).toMatch(/^retry: \d+\n\n: alive\nid: \d+\n\nretry: \d+\n\n$/);
});
