import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Listener, listen } from '../../src/http/listener.ts';
import { logRequests } from '../../src/http/log.ts';
import { warnOfProxy } from '../../src/http/server.ts';
import { terminalLine } from '../../src/http/terminal-log.ts';
import { openTracing, type Tracing } from '../../src/services/tracing/open-tracing.ts';
import { currentTracer } from '../../src/shared/tracing.ts';
import { programVersion } from '../../src/version.ts';
import { ask } from '../support/here/requests.ts';
import { startTraceCollector, type TraceCollector } from '../support/receivers/telemetry.ts';
import { mailHere, startReceiver } from '../support/receivers.ts';

const infoLevel = 30;
const warnLevel = 40;
const errorLevel = 50;

let lines: unknown[];
let listener: Listener;
let url: string;

beforeAll(async () => {
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = express();
  app.use(logRequests(logger));
  app.get('/complete', (_req, res) => void res.end('whole'));
  app.get('/failure', (_req, res) => void res.status(503).end());
  app.get('/starting', (_req, res) => void res.status(503).set('Retry-After', '1').end());
  app.get('/refusal', (req, res) => {
    req.operation = 'admins.create';
    req.caller = { kind: 'admin', id: 'admin_1' };
    res.status(403).end();
  });
  app.get('/unfinished', (_req, res) => void res.write('never ended'));
  listener = await listen(warnOfProxy(app, logger), '127.0.0.1', 0);
  url = listener.url;
});

afterAll(() => listener?.close(0));

beforeEach(() => {
  lines = [];
});

/** Sends a request, and returns the log once it has the given number of lines. */
async function logged(path: string, count: number, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  await response.text();
  await expect.poll(() => lines.length).toBe(count);
  return { id: response.headers.get('x-request-id'), lines };
}

test('logs one line per request, with only its id, method, path, address, status and duration', async () => {
  const { id, lines } = await logged('/complete?secret=query', 1);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const said = { req: { method: 'GET', path: '/complete' }, res: { status: 200 }, address: '127.0.0.1' };
  const numbers = { time: expect.any(Number), ms: expect.any(Number) };
  expect(lines).toEqual([{ ...said, ...numbers, level: infoLevel, requestId: id, msg: 'request' }]);
});

test.for([
  ['an error of the server', '/failure', { level: errorLevel, res: { status: 503 } }],
  ['as a warning, a 503 with Retry-After', '/starting', { level: warnLevel, res: { status: 503 } }],
  [
    'as a warning, who was refused what',
    '/refusal',
    {
      level: warnLevel,
      operation: 'admins.create',
      res: { status: 403 },
      actor: { kind: 'admin', id: 'admin_1' },
      address: '127.0.0.1',
    },
  ],
] as const)('logs with the id of the request %s', async ([, path, line]) => {
  const { id, lines } = await logged(path, 1);
  expect(lines).toMatchObject([{ ...line, requestId: id }]);
});

test('a terminal gets short lines without control characters, and none of requests unless they are wanted', () => {
  const time = new Date(2026, 10, 28, 20, 1, 2).toISOString();
  const request = { time, level: infoLevel, msg: 'request', req: { method: 'GET', path: '/a\u009b2J' } };
  const complete = { ...request, requestId: 'x', address: '::1', res: { status: 200 }, ms: 12 };
  expect(terminalLine(complete, true)).toBe('20:01:02 GET /a\uFFFD2J 200 12 ms');
  expect(terminalLine(complete, false)).toBeUndefined();
  const warning = {
    time,
    level: warnLevel,
    msg: 'mail failed',
    mail: 3,
    err: { message: 'no\u001b answer' },
  };
  expect(terminalLine(warning, false)).toBe('20:01:02 mail failed {"mail":3}\nno\uFFFD answer');
  const error = {
    time,
    level: errorLevel,
    msg: 'failed',
    err: { message: 'no', stack: 'Error: no\n    at x' },
  };
  expect(terminalLine(error, true)).toBe('20:01:02 Error: failed\nError: no\n    at x');
  expect(terminalLine(error, false)).toBe('20:01:02 Error: failed\nno');
  expect(terminalLine({ ...error, msg: 'failed with no:\n' }, false)).toBe('20:01:02 Error: failed with no:');
});

test('logs one line for a response that is cut off', async () => {
  const request = get(`${url}/unfinished`);
  const [response] = await once(request, 'response');
  await once(response, 'data');
  expect(lines).toEqual([]);
  request.destroy();
  await expect.poll(() => lines).toMatchObject([{ req: { path: '/unfinished' }, msg: 'request' }]);
});

test.for([
  ['abc.DEF_123-4', true],
  ['abc', false],
  ['x'.repeat(65), false],
  ['abcdefgh {"level":60}', false],
] as const)('keeps an id of 8 to 64 plain characters, and replaces another: %s', async ([given, kept]) => {
  const { id, lines } = await logged('/complete', 1, { 'x-request-id': given });
  expect(id === given).toBe(kept);
  expect(lines).toMatchObject([{ requestId: id }]);
});

test('logs the path of a target that is a whole URL, and never its user name and password', async () => {
  const { hostname, port } = new URL(url);
  for (const target of ['http://grace:secret@127.0.0.1/complete', 'http://127.0.0.1/complete?secret=query'])
    connect(Number(port), hostname)
      .resume()
      .end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  await expect.poll(() => lines.length).toBe(2);
  expect(JSON.stringify(lines)).not.toMatch(/grace|secret/);
  expect(lines).toContainEqual(expect.objectContaining({ req: { method: 'GET', path: '/complete' } }));
});

test('warns once of a proxy that is not trusted, and says what to do', async () => {
  const { lines } = await logged('/complete', 2, { 'x-forwarded-for': '192.0.2.7' });
  const message = expect.stringContaining('TRUST_PROXY');
  expect(lines).toMatchObject([
    { level: warnLevel, header: 'x-forwarded-for', address: '127.0.0.1', msg: message },
    { msg: 'request' },
  ]);
  await logged('/complete', 3, { 'x-forwarded-proto': 'https' });
});

describe('the traces', () => {
  let collector: TraceCollector;
  let tracing: Tracing;

  beforeAll(async () => {
    collector = await startTraceCollector();
    // The library reads the environment itself.
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
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
    const request = { method: 'POST', as: superadmin, headers: { traceparent }, body };
    expect((await ask(service, `/api/admin${path}`, request)).status).toBeLessThan(300);
  }

  test('a request is a span named after its operation, of the trace that the client has begun', async () => {
    await post('/issues', { title: 'A title that nobody else sees' });
    const span = await collector.find('issues.create', traceId);
    expect(span).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: serverKind, failed: false });
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'backoffice.operation': 'issues.create',
      'http.response.status_code': 200,
    });
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    expect(children.map(({ kind }) => kind)).toContain(clientKind);
    const statements = collector.spans.map(({ attributes }) => String(attributes['db.query.text']));
    expect(statements).toContainEqual(expect.stringMatching(/^with|^insert/i));
    const { version, commit } = programVersion();
    expect(collector.resource).toMatchObject({
      'service.name': 'backoffice',
      'service.version': version,
      'vcs.ref.head.revision': commit ?? undefined,
    });
  });

  test('a client that is not traced begins a trace of its own', async () => {
    const headers = { traceparent: 'wrong' };
    expect((await backoffice.service.fetch('/api/admin/nothing-here', { headers })).status).toBe(401);
    const span = await collector.find('GET');
    expect(span).toMatchObject({ kind: serverKind, failed: false, parentSpanId: undefined });
    expect(span.attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 401 });
  });

  test('a link for a new password is one trace from the request over both jobs to the mail server', async () => {
    const email = 'traced@example.com';
    await backoffice.service.signIn('user', email);
    await post('/password-reset', { email });
    await backoffice.mailServer.take(email);
    const request = await collector.find('passwordReset.create', traceId);
    const resetJob = await collector.find('job send_password_reset', traceId);
    const mailJob = await collector.find('job send_mail', traceId);
    expect([request.parentSpanId, resetJob.failed]).toEqual(['b7ad6b7169203331', false]);
    expect(await collector.find('send mail', traceId)).toMatchObject({
      parentSpanId: mailJob.spanId,
      kind: clientKind,
      attributes: { 'server.address': '127.0.0.1' },
    });
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
    for (const word of ['@example.com', 'A title that', 'token=', 'backoffice=', '$bcrypt'])
      expect(sent).not.toContain(word);
    await tracing.close();
    expect(currentTracer()).toBeUndefined();
  });
});
