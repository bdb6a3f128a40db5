import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Listener, listen } from '../../src/http/listener.ts';
import { logRequests } from '../../src/http/log.ts';
import { warnOfProxy } from '../../src/http/server.ts';

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
  app.get('/unavailable', (_req, res) => void res.status(500).set('Retry-After', '1').end());
  app.get('/refusal', (req, res) => {
    req.operation = 'admins.create';
    req.caller = { kind: 'admin', id: 'admin_1' };
    res.status(403).end();
  });
  app.get('/unfinished', (_req, res) => void res.write('never ended'));
  app.get('/emits-error', (_req, res) => {
    res.end();
    res.emit('error', new Error('nobody listens'));
  });
  app.get('/logs', (req, res) => {
    req.log.warn({ more: 1 }, 'a line of its own');
    res.end();
  });
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
  expect(lines).toEqual([
    {
      level: infoLevel,
      time: expect.any(Number),
      requestId: id,
      req: { method: 'GET', path: '/complete' },
      address: '127.0.0.1',
      res: { status: 200 },
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
});

test.for([
  ['/failure', errorLevel, 503],
  ['/unavailable', errorLevel, 500],
  ['/starting', warnLevel, 503],
] as const)(
  'logs a status of 500 or more as an error, except a 503 that says when to try again: %s',
  async ([path, level, status]) => {
    expect((await logged(path, 1)).lines).toMatchObject([{ level, res: { status } }]);
  },
);

test('logs as a warning who was refused what', async () => {
  expect((await logged('/refusal', 1)).lines).toMatchObject([
    {
      level: warnLevel,
      operation: 'admins.create',
      actor: { kind: 'admin', id: 'admin_1' },
      address: '127.0.0.1',
      res: { status: 403 },
    },
  ]);
});

test('logs one line for a response that is cut off', async () => {
  const request = get(`${url}/unfinished`);
  const [response] = await once(request, 'response');
  await once(response, 'data');
  expect(lines).toEqual([]);
  request.destroy();
  await expect.poll(() => lines).toMatchObject([{ req: { path: '/unfinished' }, msg: 'request' }]);
});

test('logs a response that fails, and the process keeps running', async () => {
  const { id, lines } = await logged('/emits-error', 2);
  expect(lines).toMatchObject([
    { level: errorLevel, requestId: id, err: { message: 'nobody listens' } },
    { requestId: id, msg: 'request' },
  ]);
});

test('adds the request id to every other line about the request', async () => {
  const { id, lines } = await logged('/logs', 2);
  expect(lines).toMatchObject([{ requestId: id, more: 1, msg: 'a line of its own' }, { requestId: id }]);
});

test.for([
  ['keeps the id of a request', 'abc.DEF_123-4', true],
  ['replaces an id that is too short', 'abc', false],
  ['replaces an id that is too long', 'x'.repeat(65), false],
  ['replaces an id with other characters', 'abcdefgh {"level":60}', false],
] as const)('%s', async ([, given, kept]) => {
  const { id, lines } = await logged('/complete', 1, { 'x-request-id': given });
  expect(id === given).toBe(kept);
  expect(lines).toMatchObject([{ requestId: id }]);
});

test('logs the path of a target that is a whole URL, and never its user name and password', async () => {
  const { hostname, port } = new URL(url);
  for (const target of ['http://grace:secret@127.0.0.1/complete', 'http://127.0.0.1/complete?secret=query']) {
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    socket.resume();
  }
  await expect.poll(() => lines.length).toBe(2);
  expect(JSON.stringify(lines)).not.toMatch(/grace|secret/);
  expect(lines).toContainEqual(expect.objectContaining({ req: { method: 'GET', path: '/complete' } }));
});

test('warns once of a proxy that is not trusted, and says what to do', async () => {
  const { lines } = await logged('/complete', 2, { 'x-forwarded-for': '192.0.2.7' });
  expect(lines).toMatchObject([
    {
      level: warnLevel,
      header: 'x-forwarded-for',
      address: '127.0.0.1',
      msg: expect.stringContaining('TRUST_PROXY'),
    },
    { msg: 'request' },
  ]);
  await logged('/complete', 3, { 'x-forwarded-proto': 'https' });
});
