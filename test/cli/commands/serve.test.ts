import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { openSession } from '../../support/here.ts';
import { type ControlledPostgres, controlledPostgres } from '../../support/postgres/control.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { sampleOf, scrape, startTraceCollector } from '../../support/receivers/telemetry.ts';
import {
  executable,
  type RunningCommand,
  startBackoffice,
  withoutEnvironment,
} from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

const email = 'grace@example.com';
const password = 'a password of the tests';
/** What docs/operations.md promises of a stop. */
const maxStopMs = 10_000;
/** The service recovers this soon after Postgres is back. */
const maxRecoveryMs = 5_000;

describe('backoffice serve', () => {
  let postgres: ControlledPostgres;
  let command: RunningCommand | undefined;

  beforeAll(async () => {
    postgres = await controlledPostgres();
    const create = ['admins', 'create', '--email', email, '--role', 'superadmin', '--password-stdin'];
    const made = await backoffice(create, { env: { DATABASE_URL: postgres.url }, stdin: password });
    expect(made.stderr).toBe('');
  });

  afterEach(async () => {
    await command?.stop('SIGKILL');
    await postgres.thaw();
    await postgres.start().catch(() => undefined);
  });

  afterAll(async () => {
    await postgres.remove();
  });

  const environment = () => ({
    DATABASE_URL: postgres.url,
    SESSION_SECRET: 'the secret of the cookies in the tests',
  });

  async function serve(env: Record<string, string> = {}): Promise<{ command: RunningCommand; url: string }> {
    const started = startBackoffice(['serve'], { env: { ...environment(), ...env } });
    command = started;
    return { command: started, url: (await started.shows(/listens on (\S+)/))[1] ?? '' };
  }

  const create = (url: string, cookie: string, title: string) =>
    fetch(`${url}/api/admin/issues`, {
      method: 'POST',
      headers: { cookie },
      body: JSON.stringify({ title }),
    });

  const answer = async (url: string, cookie: string, path: string) => {
    const response = await fetch(`${url}/api/admin/${path}`, { headers: { cookie } });
    return { status: response.status, body: await response.json() };
  };

  test.skipIf(process.platform !== 'linux')(
    'answers and stops in order if its log cannot be written',
    async () => {
      const full = await open('/dev/full', 'w');
      onTestFinished(() => full.close());
      const child = spawn(process.execPath, [executable, 'serve'], {
        env: { ...withoutEnvironment(), ...environment(), BACKOFFICE_DRAIN_SECONDS: '0', PORT: '0' },
        stdio: ['ignore', 'pipe', full.fd],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'close');
      const [printed] = (await once(child.stdout as Readable, 'data')) as [Buffer];
      const [, url = ''] = /listens on (\S+)/.exec(printed.toString()) ?? [];
      for (let lines = 0; lines < 50; lines++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
      // Longer than a line waits before it is written.
      await sleep(300);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  );

  test('starts without its database or a collector of traces, answers JSON 500s while Postgres is down, and recovers without a restart', async () => {
    await postgres.stop();
    const { command: serving, url } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    const statusOf = async (path: string) => (await fetch(url + path)).status;
    const recovers = () => expect.poll(() => statusOf('/readyz'), { timeout: maxRecoveryMs }).toBe(200);
    expect(await statusOf('/readyz')).toBe(503);
    await expect(openSession(url, email, password)).rejects.toThrow('Sign-in answered 503.');
    await postgres.start();
    await recovers();
    const cookie = await openSession(url, email, password);
    expect((await answer(url, cookie, 'issues')).status).toBe(200);

    await postgres.stop();
    const error = 'The database is unavailable.';
    expect(await answer(url, cookie, 'issues')).toEqual({ status: 500, body: { error } });
    expect(await Promise.all(['/healthz', '/readyz', '/api/admin/issues'].map(statusOf))).toEqual([
      200, 503, 401,
    ]);
    await postgres.start();
    await recovers();
    expect((await answer(url, cookie, 'issues')).status).toBe(200);
    await serving.shows(/traces cannot be sent and are dropped/);
    expect((await serving.stop()).code).toBe(0);
  });

  test('ends if its database lacks the extension pg_trgm, and says how to install it', async () => {
    await queryRows(postgres, 'drop extension pg_trgm cascade');
    onTestFinished(async () => void (await migrateUp({ databaseUrl: postgres.url })));
    const { code, stderr } = await (await serve()).command.finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^backoffice: The extension pg_trgm is missing: .*`create extension pg_trgm`.*\.\n$/,
    );
  });

  test('logs requests, failed sign-ins and generated passwords as JSON, without the e-mail or a secret', async () => {
    const { command: serving, url } = await serve();
    const cookie = await openSession(url, email, password);
    const headers = { cookie, 'x-request-id': 'request-0123456789' };
    await fetch(`${url}/api/admin/issues?period=secret-query`, { headers });
    await fetch(`${url}/api/admin/issues`, { headers: { authorization: 'Bearer bo_secret-token' } });
    await expect(openSession(url, email, 'a wrong password')).rejects.toThrow('401');
    await expect(openSession(url, 'typed-too-early', password)).rejects.toThrow('401');
    await queryRows(postgres, 'update rate_limits set points = 10');
    await expect(openSession(url, email, password)).rejects.toThrow('429');
    await queryRows(postgres, 'delete from rate_limits');
    await queryRows(postgres, 'update admins set generated_password_hash = password_hash');
    await openSession(url, email, password);
    const { stderr } = await serving.stop();
    const lines: { msg: string }[] = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const logged = (start: string) => lines.filter(({ msg }) => msg.startsWith(start));
    const adminId = expect.stringMatching(/^admin_/);
    const warning = { level: 40, address: '127.0.0.1', adminId };
    expect(logged('sign-in failed')).toMatchObject([warning, { ...warning, adminId: null }]);
    expect(logged('too many attempts to sign in')).toMatchObject([warning]);
    expect(logged('the account still has the password that')).toMatchObject([{ adminId }]);
    const request = { requestId: 'request-0123456789', res: { status: 200 } };
    expect(logged('request')).toContainEqual(expect.objectContaining(request));
    const [session = ''] = decodeURIComponent(cookie.split('=')[1] ?? '')
      .slice(2)
      .split('.');
    const secrets = [password, 'a wrong password', session, 'secret-token', 'secret-query'];
    for (const word of [...secrets, email, 'typed-too-early']) expect(stderr).not.toContain(word);
  });

  test('sends its traces before it stops, logs their ids', async () => {
    const collector = await startTraceCollector();
    const OTEL_SERVICE_NAME = 'back office of the tests';
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME };
    const { command: traced, url } = await serve(env);
    expect((await fetch(`${url}/api/admin/issues`)).status).toBe(401);
    const { stderr } = await traced.stop();
    const span = collector.spans.find(({ name }) => name === 'issues.list');
    expect(span?.attributes['http.response.status_code']).toBe(401);
    expect(collector.resource['service.name']).toBe(OTEL_SERVICE_NAME);
    expect(stderr).toContain(`"trace_id":"${span?.traceId}","span_id":"${span?.spanId}"`);
    await collector.close();
  });

  test('ends requests on a frozen database, and does not run them later', async () => {
    const { command: serving, url } = await serve({ METRICS_PORT: '0' });
    const [, metricsUrl] = await serving.shows(/Metrics are at (\S+)/);
    await expect.poll(async () => sampleOf(await scrape(metricsUrl), 'backoffice_database_up')).toBe(1);
    const cookie = await openSession(url, email, password);
    await postgres.freeze();
    const started = performance.now();
    const [read, written, ready] = await Promise.all([
      answer(url, cookie, 'issues'),
      create(url, cookie, 'too late'),
      fetch(`${url}/readyz`),
    ]);
    // A request has 10 s. The rest allows for a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect([read.status, written.status, ready.status]).toEqual([500, 500, 503]);
    expect(await ready.json()).toEqual({ status: 'not ready', error: 'The database does not answer.' });
    // A scrape waits half a second at most, unlike a request.
    const frozen = await scrape(metricsUrl);
    const failures = { operation: 'issues.list', status: '5xx' };
    expect(sampleOf(frozen, 'backoffice_http_requests_total', failures)).toBe(1);

    await postgres.thaw();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await answer(url, cookie, 'issues')).status).toBe(200);
    const running = `select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    await expect.poll(() => queryRows(postgres, running)).toEqual([]);
    expect(await queryRows(postgres, `select from issues where title = 'too late'`)).toEqual([]);
  });

  test('finishes requests in progress before it stops', async () => {
    const { command: serving, url } = await serve();
    const cookie = await openSession(url, email, password);
    await queryRows(
      postgres,
      `create function take_long() returns trigger language plpgsql as $$
        begin perform pg_sleep(2); return null; end $$;
      create trigger take_long before insert on issues for each statement execute function take_long()`,
    );
    onTestFinished(async () => void (await queryRows(postgres, 'drop function take_long cascade')));
    const created = create(url, cookie, 'under way');
    const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep'`;
    await expect.poll(() => queryRows(postgres, sleeping)).toHaveLength(1);
    serving.process.kill('SIGTERM');
    await serving.shows(/"msg":"stopping"/);
    expect((await created).status).toBe(200);
    expect((await serving.finished).code).toBe(0);
  });

  test.for([
    ['after a sign-in', (url: string) => openSession(url, email, password)],
    ['right after its start', async () => undefined],
  ] as const)('stops in time even if its database is frozen, %s', async ([, before]) => {
    const { command: serving, url } = await serve();
    await before(url);
    await postgres.freeze();
    const started = performance.now();
    expect(await serving.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(performance.now() - started).toBeLessThan(maxStopMs);
  });

  test('names a missing or invalid variable, and exits with 2', async () => {
    const missing = await backoffice(['serve'], { env: { DATABASE_URL: postgres.url } });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toMatch(/^backoffice: SESSION_SECRET is not set[^\n]+\n$/);
    const wrong = await backoffice(['serve'], { env: { PORT: 'eighty' } });
    const stderr = 'backoffice: PORT must be a whole number from 0 to 65535.\n';
    expect(wrong).toMatchObject({ code: 2, stderr });
  });
});
