import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { operations } from '../../src/contract/registry.ts';
import { maxPoolConnections } from '../../src/db/connection/database.ts';
import { maxJobConnections } from '../../src/db/job-queue/pool.ts';
import type { RunningJobs } from '../../src/jobs/start.ts';
import { classes } from '../../src/services/load/classes.ts';
import { signIn } from '../support/here/accounts.ts';
import { backofficeHere, startTestService } from '../support/here.ts';
import { withClient } from '../support/postgres/server.ts';
import { type Scrape, sampleOf, scrape } from '../support/receivers/telemetry.ts';
import { type Receiver, startJobsOf, startReceiver } from '../support/receivers.ts';

const backoffice = backofficeHere({ METRICS_PORT: '0', BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
let jobs: RunningJobs;
let receiver: Receiver;
let before: Scrape;

const scrapeNow = () => scrape(backoffice.service.metricsUrl);

/** Resolves when a value has increased by that much since the test began. */
async function increased(name: string, labels: Record<string, string>, by: number): Promise<void> {
  const start = sampleOf(before, name, labels) ?? 0;
  await expect
    .poll(async () => (sampleOf(await scrapeNow(), name, labels) ?? 0) - start, { interval: 20 })
    .toBe(by);
}

beforeAll(async () => {
  jobs = startJobsOf(backoffice.service);
  receiver = await startReceiver();
});

afterAll(async () => {
  await jobs?.stop();
  await receiver?.close();
});

beforeEach(async () => {
  before = await scrapeNow();
});

describe('a scrape', () => {
  test('counts and times requests by operation and class of status', async () => {
    const { api, service } = backoffice;
    for (const limit of ['1', 'wrong']) await api.get(`/issues?limit=${limit}`);
    for (const path of ['/api/admin/issues', '/healthz', '/api/docs/errors']) await service.fetch(path);
    await service.fetch('/api/mcp?x=1', { method: 'POST' });
    await increased('backoffice_http_requests_total', { operation: 'issues.list', status: '2xx' }, 1);
    await increased('backoffice_http_requests_total', { operation: 'issues.list', status: '4xx' }, 2);
    await increased('backoffice_http_request_duration_seconds_count', { operation: 'issues.list' }, 3);
    for (const operation of ['health', 'mcp', 'docs']) {
      await increased('backoffice_http_request_duration_seconds_bucket', { operation, le: '+Inf' }, 1);
    }
    expect(sampleOf(await scrapeNow(), 'backoffice_http_requests_in_flight')).toBe(0);
  });

  test('has no label of what a client chooses', async () => {
    const { service } = backoffice;
    for (let i = 0; i < 50; i++) {
      await service.fetch(`/api/admin/made-up-${i}`, { method: i % 2 === 0 ? 'GET' : 'PUT' });
      await service.fetch(`/made-up-${i}?query=${i}`, { headers: { 'x-request-id': `made-up-${i}` } });
    }
    await increased('backoffice_http_requests_total', { operation: 'other', status: '4xx' }, 100);
    const known = new Set([undefined, 'health', 'mcp', 'docs', 'other', ...operations.map(({ id }) => id)]);
    for (const { samples } of (await scrapeNow()).values())
      for (const { labels } of samples) {
        expect(known).toContain(labels.operation);
        expect(Object.values(labels).join()).not.toContain('made-up');
      }
  });

  test('counts sign-ins by outcome', async () => {
    const email = 'grace@example.com';
    await backoffice.service.signIn('user', email);
    const fail = async () => (await signIn(backoffice.service, { email, password: 'wrong horse' })).status;
    expect(await fail()).toBe(401);
    await backoffice.sql(`update rate_limits set points = 10 where key like 'sign-in-account:%'`);
    expect(await fail()).toBe(429);
    for (const outcome of ['succeeded', 'wrong_password', 'limited'])
      await increased('backoffice_sign_ins_total', { outcome }, 1);
    await increased('backoffice_http_requests_limited_total', { operation: 'session.create' }, 1);
  });

  test('follows a change to its event, its job and its webhook', async () => {
    const { api } = backoffice;
    await api.post('/webhooks', { url: receiver.url, events: ['issue.created'] });
    await api.post('/issues', { title: 'Measured' });
    await increased('backoffice_webhook_deliveries_total', { outcome: 'succeeded' }, 1);
    await increased('backoffice_webhook_delivery_duration_seconds_count', {}, 1);
    await increased('backoffice_jobs_total', { task: 'deliver_webhook', outcome: 'succeeded' }, 1);
    await increased('backoffice_published_changes_total', {}, 2);
    const after = await scrapeNow();
    expect(sampleOf(after, 'backoffice_event_lag_seconds_count')).toBeGreaterThan(0);
    expect(sampleOf(after, 'backoffice_job_duration_seconds_count', { task: 'deliver_webhook' })).toBe(1);
  });

  test('shows the pools, the queues, the followers, the process and the version', async () => {
    await expect.poll(async () => sampleOf(await scrapeNow(), 'backoffice_database_up')).toBe(1);
    const after = await scrapeNow();
    for (const [name, labels, expected] of [
      ['backoffice_database_pool_max_connections', { pool: 'main' }, maxPoolConnections],
      ['backoffice_database_pool_max_connections', { pool: 'jobs' }, maxJobConnections],
      ['backoffice_queue_capacity', { queue: 'lists' }, classes.lists.atOnce],
      ['backoffice_queue_waiting', { queue: 'sign_ins' }, 0],
      ['backoffice_event_streams', {}, 0],
      ['backoffice_build_info', { node: process.version }, 1],
      ['backoffice_job_queue_jobs', {}, expect.any(Number)],
      ['backoffice_unpublished_changes', {}, expect.any(Number)],
      ['nodejs_eventloop_lag_p99_seconds', {}, expect.any(Number)],
    ] as const)
      expect(sampleOf(after, name, labels), `${name} ${JSON.stringify(labels)}`).toEqual(expected);
  });
});

test('a scrape answers without the database, and says that it is down', async () => {
  const alone = await startTestService({ METRICS_PORT: '0' });
  onTestFinished(() => alone.stop());
  const database = new URL(alone.databaseUrl).pathname.slice(1);
  const asAdmin = (statement: string) => withClient(inject('adminUrl'), (client) => client.query(statement));
  onTestFinished(async () => void (await asAdmin(`alter database "${database}" allow_connections true`)));
  await asAdmin(`alter database "${database}" allow_connections false`);
  await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  let down: Scrape = new Map();
  const isUp = async () => {
    down = await scrape(alone.metricsUrl);
    return sampleOf(down, 'backoffice_database_up');
  };
  await expect.poll(isUp, { interval: 20 }).toBe(0);
  for (const name of ['backoffice_job_queue_jobs', 'backoffice_unpublished_changes'])
    expect(sampleOf(down, name)).toBeUndefined();
});

/** Metrics that a panel need not show: another one has more of the same. */
const hidden: readonly string[] = [
  'backoffice_backlog_age_seconds',
  'backoffice_build_info',
  'backoffice_last_event_id',
  // Its alert shows it.
  'backoffice_mailbox_unread_seconds',
  'backoffice_database_pool_open_connections',
];

/** Returns the queries of the panels in deploy/grafana-dashboard.json. */
async function queriesOfDashboard(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../deploy/grafana-dashboard.json', import.meta.url), 'utf8');
  const { panels } = JSON.parse(text) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

test('the alerts and the dashboard use only metrics that exist, and the documentation has every metric and alert', async () => {
  const rules = await readFile(new URL('../../deploy/prometheus-alerts.yml', import.meta.url), 'utf8');
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const found = await scrapeNow();
  const lines = rules.trimEnd().split('\n');

  const replica = ['backoffice_replica_used', 'backoffice_replica_lag_seconds'];
  const names = new Set([...found.keys(), ...replica]);
  const own = [...names].filter((name) => name.startsWith('backoffice_'));
  const namesIn = (text: string) =>
    [...text.matchAll(/\b(?:backoffice|process|nodejs)_\w+/g)].map(([name]) => name);
  const used = lines.filter((line) => line.includes('expr:')).flatMap(namesIn);
  const shown = (await queriesOfDashboard()).flatMap(namesIn);
  expect(used.length).toBeGreaterThan(15);
  expect(shown.length).toBeGreaterThan(20);
  const unknown = [...used, ...shown].filter((name) => !names.has(name.replace(/_(bucket|sum|count)$/, '')));
  expect(unknown).toEqual([]);
  // What the service measures is on the dashboard.
  const measured = own.filter((name) => !hidden.includes(name));
  expect(measured.filter((name) => !shown.some((each) => each.startsWith(name)))).toEqual([]);
  for (const [, alert] of rules.matchAll(/alert: (\w+)/g)) expect(page).toContain(`| \`${alert}\``);

  const documented = [...page.matchAll(/`(…|backoffice)(_[a-z_]+)`/g)].map(([, , end = '']) => end);
  expect(own.filter((name) => !documented.some((end) => name.endsWith(end)))).toEqual([]);
});

test('only its own port answers, and only there', async () => {
  const { service } = backoffice;
  expect((await service.fetch('/metrics')).status).toBe(404);
  const url = new URL(service.metricsUrl ?? '');
  expect(url.hostname).toBe('127.0.0.1');
  expect((await fetch(new URL('/api/admin/issues', url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});
