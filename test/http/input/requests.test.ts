import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { operations } from '../../../src/contract/registry.ts';
import { ask } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const issues = '/api/admin/issues';
const issue = JSON.stringify({ title: 'T' });
const anError = { error: expect.stringMatching(/\S/) };
const unauthorized = { status: 401, body: { error: 'Unauthorized' } };

/** Sends a request as the superadmin, or as nobody, with extra headers. */
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  ask(backoffice.service, path, { method, as: backoffice.superadmin, headers, body });
const sendAsNobody = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  ask(backoffice.service, path, { method, headers, body });

test('a change from a page of another origin is 403, and reading is no change', async () => {
  for (const [method, path, body] of [
    ['POST', issues, issue],
    ['PUT', '/api/admin/settings', '{"updates":{}}'],
    ['DELETE', '/api/admin/admins?id=x', undefined],
  ] as const) {
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      const refused = await send(method, path, { 'sec-fetch-site': site }, body);
      expect(refused, site).toMatchObject({ status: 403, body: anError });
    }
    for (const site of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])
      expect((await send(method, path, site, body)).status).toBe(200);
  }
  for (const method of ['GET', 'HEAD'])
    expect((await send(method, issues, { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
});

test('an Origin header without Sec-Fetch-Site is compared with the host', async () => {
  const { url } = backoffice.service;
  for (const origin of ['https://evil.example', 'null', url.replace(/\d+$/, '1'), `${url}.evil.example`])
    expect((await send('POST', issues, { origin }, issue)).status, origin).toBe(403);
  expect((await send('POST', issues, { origin: url }, issue)).status).toBe(200);
});

test('signing in is a change, also without a session, and 401 comes first', async () => {
  const signIn = await sendAsNobody('POST', '/api/admin/session', { 'sec-fetch-site': 'cross-site' }, '{}');
  expect(signIn.status).toBe(403);
  const create = await sendAsNobody('POST', issues, { origin: 'https://evil.example' }, issue);
  expect(create).toMatchObject(unauthorized);
});

test('an unlisted path is 404, after the session check under /api/admin', async () => {
  const notFound = { status: 404, body: anError };
  for (const path of ['', '/', '/nothing', '/issues/', '/issues/1', '/Issues'])
    for (const method of ['GET', 'POST']) {
      expect(await sendAsNobody(method, `/api/admin${path}`), path).toMatchObject(unauthorized);
      expect(await send(method, `/api/admin${path}`), path).toMatchObject(notFound);
    }
  expect(await sendAsNobody('GET', '/api/nothing')).toMatchObject(notFound);
});

/** Without the contact page, which answers 404 while it is off. */
const methodsOf = Map.groupBy(
  operations.filter(({ id }) => id !== 'contact.create'),
  ({ path }) => path as string,
);

test.for([...methodsOf])(
  '%s with a method that is not listed is 405 with Allow, after the session check',
  async ([path, samePath]) => {
    const listed: string[] = samePath.map(({ method }) => method);
    if (listed.includes('GET')) listed.push('HEAD');
    listed.sort();
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
    for (const method of methods.filter((each) => !listed.includes(each))) {
      const answer = await send(method, path);
      expect(answer, method).toMatchObject({ status: 405, body: anError });
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(listed);
      expect(await sendAsNobody(method, path), method).toMatchObject(unauthorized);
    }
  },
);

test('every response is JSON in UTF-8, and is not stored if it is no list', async () => {
  const responses = [
    await send('POST', issues, {}, issue),
    await send('POST', issues, {}, '{}'),
    await send('POST', issues, {}, '{'),
    await send('GET', '/api/admin/nothing'),
    await send('PATCH', '/api/admin/settings'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 500, 404, 405]);
  for (const { headers } of responses) {
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('HEAD is answered by paths that are no operation, and leaves no follower of events behind', async () => {
  for (const path of ['/healthz', '/readyz', '/api/openapi.json', '/api/docs', '/api/admin/events'])
    expect(await send('HEAD', path), path).toMatchObject({ status: 200, text: '' });
  expect(backoffice.service.services.events.followers).toBe(0);
});

/** Sends raw bytes, and returns everything that comes back until the service closes the connection. */
async function sendBytes(bytes: string): Promise<string> {
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

const get = 'GET /api/admin/issues HTTP/1.1';
const wrongTarget = 'The request target must be a path, or an http URL without a user name.';

test.for([
  ['nonsense', 400, 'The request is not valid HTTP.'],
  [`${get}\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}`, 431, 'The request header is too long.'],
  [get, 400, 'The request must have a Host header.'],
  [`${get}\r\nHost: a\r\nHost: a`, 400, 'The request must have only one Host header.'],
  [`${get}\r\nHost: u:p@a`, 400, 'The Host header must be a host name with an optional port.'],
  [
    'POST /api/admin/issues HTTP/1.1\r\nHost: a\r\nExpect: banana\r\nContent-Length: 0',
    417,
    'The only expectation that this service meets is 100-continue.',
  ],
  ['GET http://user:secret@a/api/admin/issues HTTP/1.1\r\nHost: a', 400, wrongTarget],
  ['GET ftp://a/api/admin/issues HTTP/1.1\r\nHost: a', 400, wrongTarget],
] as const)('%j is answered %i with an { error } like every other error', async ([head, status, error]) => {
  const response = await sendBytes(`${head}\r\n\r\n`);
  expect(response).toContain(`HTTP/1.1 ${status} `);
  expect(response).toContain(`\r\n\r\n${JSON.stringify({ error })}`);
});

test('a target that is a whole URL is served by its path, and its host is compared with an Origin', async () => {
  const post = (host: string) =>
    `POST http://${host}/api/admin/issues HTTP/1.1\r\nHost: shop.example\r\nOrigin: http://shop.example\r\n` +
    `Cookie: ${backoffice.superadmin.cookie}\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"title":"T"}`;
  expect(await sendBytes(post('shop.example'))).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"success":true,"id":/s);
  expect(await sendBytes(post('other.example'))).toMatch(/^HTTP\/1\.1 403 /);
});

test('bytes that are not HTTP after a request get no answer inside its response', async () => {
  await backoffice.sql(
    `insert into issues (title, description) select 'Listed', repeat('x', 20000) from generate_series(1, 500)`,
  );
  const response = await sendBytes(
    `GET /api/admin/issues HTTP/1.1\r\nHost: a\r\nCookie: ${backoffice.superadmin.cookie}\r\n\r\nnonsense\r\n\r\n`,
  );
  expect(response.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
});
