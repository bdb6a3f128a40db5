import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';

let service: TestService;
let cookie: string;

beforeAll(async () => {
  service = await startTestService({}, { requestTimeoutMs: 1_000 });
  ({ cookie } = await service.signIn('superadmin'));
});

afterAll(() => service?.stop());

/** Announces a body, sends only its start, and returns what comes back until the service closes the connection. */
async function stall(start: string, ...headers: string[]): Promise<string> {
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const head = ['POST /api/admin/issues HTTP/1.1', `Host: ${host}`, `Cookie: ${cookie}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n${start}`);
  return await text(socket);
}

test.for([
  ['with a length', '{"title":', ['Content-Length: 100']],
  ['in chunks', '5\r\n{"tit\r\n', ['Transfer-Encoding: chunked']],
  ['that does not even start', '', ['Content-Length: 100']],
] as const)('a body %s that stalls is 408, and its connection is closed', async ([, start, headers]) => {
  const response = await stall(start, ...headers);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toMatch(/\r\nconnection: close\r\n/i);
  expect(response.split('\r\n\r\n')[1]).toBe(
    '{"error":"The request body did not arrive in time. Send the request again."}',
  );
});

test('a client that waits for 100 Continue and then sends nothing gets 408', async () => {
  expect(await stall('', 'Content-Length: 100', 'Expect: 100-continue')).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408 /,
  );
});

test('nothing is stored of it', async () => {
  const response = await service.fetch('/api/admin/issues', { headers: { cookie } });
  expect(await response.json()).toEqual({ issues: [] });
});
