import { once } from 'node:events';
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { logRequests } from '../../src/http/log.ts';

const information = 30;
const failure = 50;

let lines: unknown[];
let server: Server;
let url: string;

beforeAll(async () => {
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = express();
  app.use(logRequests(logger));
  app.get('/answer', (_req, res) => void res.end('whole'));
  app.get('/failure', (_req, res) => void res.status(503).end());
  app.get('/beginning', (_req, res) => void res.write('never ended'));
  app.get('/late', (_req, res) => {
    res.end();
    res.emit('error', new Error('nobody listens'));
  });
  app.get('/word', (req, res) => {
    req.log.warn({ more: 1 }, 'a word of its own');
    res.end();
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server?.close());

beforeEach(() => {
  lines = [];
});

/** Asks, and returns the lines of the log when there are as many. */
async function logged(path: string, count: number, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  await response.text();
  await expect.poll(() => lines.length).toBe(count);
  return { id: response.headers.get('x-request-id'), lines };
}

test('a request is one line: its id, method, path and status, how long it took, and nothing else', async () => {
  const { id, lines } = await logged('/answer?secret=query', 1);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines).toEqual([
    {
      level: information,
      time: expect.any(Number),
      requestId: id,
      req: { method: 'GET', path: '/answer' },
      res: { status: 200 },
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
});

test('a status of 500 and more is an error', async () => {
  expect((await logged('/failure', 1)).lines).toMatchObject([{ level: failure, res: { status: 503 } }]);
});

test('an answer that is broken off is one line too', async () => {
  const request = get(`${url}/beginning`);
  const [response] = await once(request, 'response');
  await once(response, 'data');
  expect(lines).toEqual([]);
  request.destroy();
  await expect.poll(() => lines).toMatchObject([{ req: { path: '/beginning' }, msg: 'request' }]);
});

test('an answer that fails says so, and the process lives', async () => {
  const { id, lines } = await logged('/late', 2);
  expect(lines).toMatchObject([
    { level: failure, requestId: id, err: { message: 'nobody listens' } },
    { requestId: id, msg: 'request' },
  ]);
});

test('what else is said of a request bears its id', async () => {
  const { id, lines } = await logged('/word', 2);
  expect(lines).toMatchObject([{ requestId: id, more: 1, msg: 'a word of its own' }, { requestId: id }]);
});

test.for([
  ['an id that came with the request is kept', 'abc.DEF_123-4', true],
  ['one that is too short is not', 'abc', false],
  ['one that is too long is not', 'x'.repeat(65), false],
  ['one that is more than an id is not', 'abcdefgh {"level":60}', false],
] as const)('%s', async ([, given, kept]) => {
  const { id, lines } = await logged('/answer', 1, { 'x-request-id': given });
  expect(id === given).toBe(kept);
  expect(lines).toMatchObject([{ requestId: id }]);
});
