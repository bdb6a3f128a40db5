import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Sends raw bytes, and returns everything that comes back until the service closes the connection. */
async function send(bytes: string): Promise<string> {
  const { hostname, port } = new URL(backoffice.service.url);
  const socket = connect(Number(port), hostname);
  const received: string[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => received.push(text));
  // A connection that is closed while it has bytes that nobody has read is reset, after the answers.
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return received.join('');
}

const wrongHost = 'The Host header must be a host name with an optional port.';

test.each([
  ['a request that is not HTTP', 'nonsense\r\n\r\n', '400 Bad Request', 'The request is not valid HTTP.'],
  [
    'a header that is too long',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'The request header is too long.',
  ],
  [
    'a request without a Host header',
    'GET /api/admin/issues HTTP/1.1\r\n\r\n',
    '400 Bad Request',
    'The request must have a Host header.',
  ],
  [
    'a request with two Host headers',
    'GET /api/admin/issues HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
    '400 Bad Request',
    'The request must have only one Host header.',
  ],
  [
    'a Host header with a path',
    'GET /api/admin/issues HTTP/1.1\r\nHost: a/b\r\n\r\n',
    '400 Bad Request',
    wrongHost,
  ],
  [
    'a Host header with a user',
    'GET /api/admin/issues HTTP/1.1\r\nHost: u:p@a\r\n\r\n',
    '400 Bad Request',
    wrongHost,
  ],
  [
    'an unknown expectation',
    'POST /api/admin/issues HTTP/1.1\r\nHost: a\r\nExpect: banana\r\nContent-Length: 2\r\n\r\n{}',
    '417 Expectation Failed',
    'The only expectation that this service meets is 100-continue.',
  ],
  [
    'a target with a user name',
    'GET http://user:secret@a/api/admin/issues HTTP/1.1\r\nHost: a\r\n\r\n',
    '400 Bad Request',
    'The request target must be a path, or an http URL without a user name.',
  ],
  [
    'a target with another scheme',
    'GET ftp://a/api/admin/issues HTTP/1.1\r\nHost: a\r\n\r\n',
    '400 Bad Request',
    'The request target must be a path, or an http URL without a user name.',
  ],
])('%s gets an { error } like every other error', async (_what, bytes, status, error) => {
  const response = await send(bytes);
  expect(response).toContain(`HTTP/1.1 ${status}\r\n`);
  expect(response).toContain(`\r\n\r\n${JSON.stringify({ error })}`);
});

test('HTTP/1.0 needs no Host header', async () => {
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toContain('{"status":"ok",');
});

test('a target that is a whole URL is served by its path', async () => {
  const { host } = new URL(backoffice.service.url);
  const { cookie } = backoffice.superadmin;
  const response = await send(
    `GET http://${host}/api/admin/issues?limit=1 HTTP/1.1\r\nHost: other\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toContain('\r\n\r\n{"issues":[],"nextCursor":null}');
});

test('the host of such a target is the one that an Origin is compared with', async () => {
  const post = (host: string) =>
    `POST http://${host}/api/admin/issues HTTP/1.1\r\nHost: shop.example\r\nOrigin: http://shop.example\r\n` +
    `Cookie: ${backoffice.superadmin.cookie}\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"title":"T"}`;
  expect(await send(post('shop.example'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await send(post('other.example'))).toMatch(/^HTTP\/1\.1 403 /);
});

test('bytes that are not HTTP after a request get no answer inside its response', async () => {
  await backoffice.sql(
    `insert into issues (title, description) select 'Listed', repeat('x', 500) from generate_series(1, 20000)`,
  );
  const response = await send(
    `GET /api/admin/issues HTTP/1.1\r\nHost: a\r\nCookie: ${backoffice.superadmin.cookie}\r\n\r\nnonsense\r\n\r\n`,
  );
  expect(response.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
});
