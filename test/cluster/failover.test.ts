import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadsToPooler } from '../../src/db/connection/inspect-server.ts';
import { withClient } from '../support/postgres/server.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { backoffice } from '../support/run/process.ts';
import { disagreements, type ServerProcess, serveProcess } from '../support/run/server.ts';
import { type Cluster, startCluster } from './support/cluster.ts';
import { until, untilHealthy } from './support/machine.ts';
import { settingOf, startWorkload, type Workload } from './support/workload.ts';

const maxOutageMs = 30_000;
const email = 'grace@example.com';
const password = 'the password of grace';
/** How long the writers write before and after each failure. */
const steadyMs = 3_000;

let cluster: Cluster;
let env: Record<string, string>;
let receiver: Receiver;
let services: ServerProcess[] = [];
let workload: Workload;

beforeAll(async () => {
  cluster = await startCluster();
  const { primaryUrl: DATABASE_URL, pooledUrl: DATABASE_POOL_URL, replicaUrl: DATABASE_READ_URL } = cluster;
  const addresses = { DATABASE_URL, DATABASE_POOL_URL, DATABASE_READ_URL };
  env = { ...cluster.machine.mark, ...addresses, BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' };
  await run(['migrate', 'up']);
  await run(['admins', 'create', '--email', email, '--role', 'superadmin', '--password-stdin'], password);
  receiver = await startReceiver();
  await run(['webhooks', 'create', receiver.url, '--events', 'setting.updated']);
  services = [await serve(), await serve()];
}, 180_000);

afterAll(async () => {
  for (const { command } of services) await command.stop('SIGKILL');
  await receiver?.close();
});

async function run(args: string[], stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await backoffice(args, { env, stdin });
  if (code !== 0) throw new Error(`backoffice ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

const serve = () => serveProcess(cluster.primaryUrl, env);

/** Prints how long it took until every instance acknowledged changes again, and checks it. */
async function measureOutage(failure: string, start: number): Promise<void> {
  await workload.untilAcknowledgedSince(start);
  const ms = Date.now() - start;
  const { name } = await cluster.primary();
  console.log(`${failure}: changes again after ${(ms / 1_000).toFixed(1)} s, primary is ${name}`);
  expect(ms).toBeLessThanOrEqual(maxOutageMs);
}

async function untilSteady(): Promise<void> {
  await cluster.untilComplete();
  await pause(steadyMs);
}

test('only the pooler is recognised as one, not the proxies in front of Postgres', async () => {
  const { primaryUrl, pooledUrl, replicaUrl } = cluster;
  expect(await Promise.all([primaryUrl, pooledUrl, replicaUrl].map(leadsToPooler))).toEqual([
    false,
    true,
    false,
  ]);
});

test('two instances write and follow', async () => {
  const token = (await run(['tokens', 'create', '--name', 'writer', '--role', 'superadmin'])).trim();
  const urls = services.map(({ url }) => url);
  workload = await startWorkload(urls, { email, password, token });
  await pause(steadyMs);
  await workload.untilAcknowledgedSince(0);
});

test.for([1, 2, 3])('changes go on soon after the primary has died, time %i', async (time) => {
  const primary = await cluster.primary();
  await primary.kill();
  const start = Date.now();
  // An instance that starts while there is no primary becomes ready by itself.
  const late = await serve();
  await measureOutage(`kill ${time} (${primary.name})`, start);
  await untilHealthy(`${late.url}/readyz`);
  expect((await late.command.stop()).code).toBe(0);
  await primary.start();
  await untilSteady();
});

test('changes go on soon after the primary hangs', async () => {
  const primary = await cluster.primary();
  await primary.freeze();
  const start = Date.now();
  await measureOutage(`freeze of the primary (${primary.name})`, start);
  // As a watchdog does. With Patroni 3.0.2, a primary that wakes up may take its role back, and the changes that the new
  // one has acknowledged are lost.
  await primary.kill();
  await primary.start();
  await untilSteady();
});

test('changes go on soon after the synchronous replica hangs', async () => {
  const replica = await cluster.synchronousReplica();
  await replica.freeze();
  const start = Date.now();
  await measureOutage(`freeze of the synchronous replica (${replica.name})`, start);
  await replica.thaw();
  await untilSteady();
});

test('no acknowledged change is lost or made twice, and the audit trail has each', async () => {
  const titles = await workload.stopWriting();
  const { ledgers } = workload;
  for (const { refusals, acknowledged, slowestRefusalMs } of ledgers)
    console.log(`${acknowledged} changes acknowledged; refused within ${slowestRefusalMs} ms:`, refusals);
  // Every refusal is an answer of the service: none of its processes has died or cut a connection.
  for (const refusal of ledgers.flatMap(({ refusals }) => [...refusals.keys()]))
    expect(refusal).toMatch(/^50[03] \{"error":"[^"]+"\}$/);

  await withClient(cluster.primaryUrl, async (client) => {
    const { rows } = await client.query<{ id: string; title: string; status: string }>(
      'select id, title, status from issues',
    );
    const issues = new Map(rows.map(({ id, ...issue }) => [Number(id), issue]));
    const lost = ledgers.flatMap(({ created, resolved }) => [
      ...[...created].filter(([id, title]) => issues.get(id)?.title !== title),
      ...[...resolved].filter((id) => issues.get(id)?.status !== 'Resolved'),
    ]);
    expect(lost).toEqual([]);
    const counts = new Map<string, number>();
    for (const { title } of rows) counts.set(title, (counts.get(title) ?? 0) + 1);
    expect(titles.filter((title) => counts.get(title) !== 1)).toEqual([]);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    for (const [instance, { setting }] of ledgers.entries()) {
      const found = await client.query('select setting_value from settings where setting_key = $1', [
        settingOf(instance),
      ]);
      expect(Number(found.rows[0]?.setting_value)).toBeGreaterThanOrEqual(setting);
    }
  });
  expect(await disagreements(cluster.primaryUrl)).toEqual([]);
});

test('no event is missed or doubled', async () => {
  const events = await withClient(cluster.primaryUrl, async (client) => {
    const { rows } = await client.query<{ id: string; type: string }>(
      'select id, type from events order by id',
    );
    return rows.map(({ id, type }) => ({ id: Number(id), type }));
  });
  const ids = events.map(({ id }) => id);
  const last = ids.at(-1) ?? 0;
  for (const follower of workload.followers) {
    await follower.until(({ id }) => id === last);
    expect(follower.received.map(({ id }) => id)).toEqual(ids);
    await follower.stop();
  }

  const settings = events.filter(({ type }) => type === 'setting.updated').map(({ id }) => id);
  const delivered = () => new Set(receiver.arrivals.map(({ body }) => JSON.parse(body).data.id as number));
  await until('all webhooks are delivered', () => settings.every((id) => delivered().has(id)));
  const { length: messages } = receiver.arrivals;
  console.log(`${ids.length} events; ${settings.length} webhooks delivered in ${messages} messages`);
});
