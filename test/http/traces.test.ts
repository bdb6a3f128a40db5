import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openTracing, type Tracing } from '../../src/services/tracing/open-tracing.ts';
import { currentTracer } from '../../src/shared/tracing.ts';
import { programVersion } from '../../src/version.ts';
import { startTraceCollector, type TraceCollector } from '../support/receivers/telemetry.ts';
import { mailHere, startReceiver } from '../support/receivers.ts';

let collector: TraceCollector;
let tracing: Tracing;

beforeAll(async () => {
  collector = await startTraceCollector();
  // The library reads the environment itself.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=tests');
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '10' });
  if (config.tracing === undefined) throw new Error('Tracing is off.');
  tracing = openTracing(config.tracing, pino({ level: 'silent' }));
});

const backoffice = mailHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });

afterAll(async () => {
  await tracing?.close();
  await collector?.close();
  vi.unstubAllEnvs();
});

const serverKind = 2;
const clientKind = 3;
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** Sends a request as a client that is traced. */
async function post(path: string, body: object): Promise<void> {
  const { service, superadmin } = backoffice;
  const headers = { cookie: superadmin.cookie, traceparent };
  const response = await service.fetch(`/api/admin${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const childrenOf = (spanId: string) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

test('a request is a span named after its operation, of the trace that the client has begun', async () => {
  await post('/issues', { title: 'A title that nobody else sees' });
  const span = await collector.find('issues.create', traceId);
  expect(span).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: serverKind, failed: false });
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'backoffice.operation': 'issues.create',
    'http.response.status_code': 200,
  });
  const statements = childrenOf(span.spanId);
  expect(statements.map(({ kind }) => kind)).toContain(clientKind);
  expect(
    collector.spans.some(({ attributes }) => /^with|^insert/i.test(String(attributes['db.query.text']))),
  ).toBe(true);
  const { version, commit } = programVersion();
  expect(collector.resource).toMatchObject({
    'service.name': 'backoffice',
    'service.version': version,
    'vcs.ref.head.revision': commit ?? undefined,
    'deployment.environment.name': 'tests',
  });
});

test('a client that is not traced begins a trace of its own, and an error of the server marks the span', async () => {
  const response = await backoffice.service.fetch('/api/admin/nothing-here', {
    headers: { traceparent: 'wrong' },
  });
  expect(response.status).toBe(401);
  const span = await collector.find('GET');
  expect(span).toMatchObject({ kind: serverKind, failed: false });
  expect(span.parentSpanId).toBeUndefined();
  expect(span.attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 401 });
});

test('the work on a password is a span of the request', async () => {
  const input = { email: 'nobody@example.com', password: 'wrong horse' };
  const response = await backoffice.service.fetch('/api/admin/session', {
    method: 'POST',
    headers: { traceparent },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(401);
  const request = await collector.find('session.create', traceId);
  expect(childrenOf(request.spanId).map(({ name }) => name)).toContain('verify password');
});

test('a link for a new password is one trace from the request over both jobs to the mail server', async () => {
  const email = 'traced@example.com';
  await backoffice.service.signIn('user', email);
  await post('/password-reset', { email });
  await backoffice.mailServer.take(email);
  const request = await collector.find('passwordReset.create', traceId);
  const sent = await collector.find('send mail', traceId);
  const mailJob = await collector.find('job send_mail', traceId);
  const resetJob = await collector.find('job send_password_reset', traceId);
  expect(sent).toMatchObject({
    parentSpanId: mailJob.spanId,
    kind: clientKind,
    attributes: { 'server.address': '127.0.0.1' },
  });
  expect(request.parentSpanId).toBe('b7ad6b7169203331');
  expect(resetJob.failed).toBe(false);
});

test('a webhook that is sent is a span without its URL', async () => {
  const receiver = await startReceiver();
  await backoffice.api.post('/webhooks', { url: `${receiver.url}?token=abc`, events: ['issue.created'] });
  await backoffice.api.post('/issues', { title: 'Sent on' });
  const span = await collector.find('send webhook');
  const job = await collector.find('job deliver_webhook');
  expect(span.parentSpanId).toBe(job.spanId);
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': expect.anything(),
  });
  await receiver.close();
});

test('nothing personal and no secret leaves the process, and nothing after the end', async () => {
  const sent = collector.bodies.join();
  for (const word of ['@example.com', 'A title that', 'wrong horse', 'token=', 'backoffice=', '$bcrypt'])
    expect(sent).not.toContain(word);
  await tracing.close();
  expect(currentTracer()).toBeUndefined();
});
