import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { apiAs, errorResponse, errorResponseLike, sendHead } from '../../support/here/requests.ts';
import { backofficeHere, password } from '../../support/here.ts';

const backoffice = backofficeHere();

const issue = JSON.stringify({ title: 'Ünïcode 🐛' });

/** Posts an issue with exactly the given bytes and headers. */
async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const response = await backoffice.service.fetch('/api/admin/issues', {
    method: 'POST',
    headers: { cookie: backoffice.superadmin.cookie, ...headers },
    // Bytes, because fetch adds a content type to a string.
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  });
  return { status: response.status, body: await response.json() };
}

/** Returns an object of that many bytes of JSON. */
const sized = (bytes: number, fields: object) =>
  JSON.stringify({ ...fields, extra: 'x'.repeat(bytes - JSON.stringify({ ...fields, extra: '' }).length) });

const created = { status: 200, body: { success: true, id: expect.any(Number) } };
const unsupported = errorResponseLike(415, /UTF-8/);

test('a body of 1 MiB is accepted, and of one byte more is 413, measured in bytes, not in characters', async () => {
  const mebibyte = 1024 * 1024;
  const tooLarge = errorResponseLike(413, /1 MiB/);
  expect(await post(sized(mebibyte, { title: 'T' }))).toEqual(created);
  expect(await post(sized(mebibyte + 1, { title: 'T' }))).toEqual(tooLarge);
  expect(await post(JSON.stringify({ title: '🐛'.repeat(mebibyte / 4) }))).toEqual(tooLarge);
});

describe('the body of a sign-in, which needs no session,', () => {
  const maxBytes = 16 * 1024;
  const tooLarge = errorResponse(413, 'The request body must not be larger than 16 KiB.');
  const signIn = (body: string) => apiAs(backoffice.service.url).post('/session', body);
  const credentials = (bytes: number) => sized(bytes, { email: backoffice.superadmin.email, password });

  test('of 16 KiB is accepted, and of one byte more is 413, also with a session or without a length', async () => {
    expect(await signIn(credentials(maxBytes))).toMatchObject({ status: 200 });
    expect(await signIn(credentials(maxBytes + 1))).toEqual(tooLarge);
    expect(await backoffice.api.post('/session', credentials(maxBytes + 1))).toEqual(tooLarge);
    const body = new Blob([credentials(maxBytes + 1)]).stream();
    const init = { method: 'POST', body, duplex: 'half' } as const;
    const response = await backoffice.service.fetch('/api/admin/session', init);
    expect({ status: response.status, body: await response.json() }).toEqual(tooLarge);
  });
});

test.for([
  ['issues', 1024 ** 3, /1 MiB/],
  ['session', 16 * 1024 + 1, /16 KiB/],
] as const)(
  'a body for %s is rejected by its Content-Length before it is read',
  async ([path, bytes, limit]) => {
    const { service, superadmin } = backoffice;
    const head = [
      `POST /api/admin/${path} HTTP/1.1`,
      `Cookie: ${superadmin.cookie}`,
      `Content-Length: ${bytes}`,
    ];
    expect(await sendHead(service.url, head, limit)).toMatch(/^HTTP\/1\.1 413 /);
  },
);

test.for<[what: string, headers: Record<string, string>]>([
  ['no content type', {}],
  ['an invalid content type', { 'content-type': ';;' }],
  ['its quoted charset', { 'content-type': 'application/json; charset="UTF-8"' }],
  ['the encoding that is none', { 'content-encoding': 'identity' }],
])('a body is JSON in UTF-8, with %s', async ([, headers]) => {
  expect(await post(issue, headers)).toEqual(created);
});

test('UTF-8 is stored and returned unchanged, without a byte order mark', async () => {
  const { body } = await post(`\u{feff}${issue}`);
  const { id } = body as { id: number };
  expect(await backoffice.superadmin.client.call('issues.list', { id })).toMatchObject({
    issues: [{ title: 'Ünïcode 🐛' }],
  });
});

test('a body in another encoding or charset, or that is no UTF-8, is 415', async () => {
  for (const encoding of ['gzip', 'br', 'x-unknown'])
    expect(await post(new Uint8Array(gzipSync(issue)), { 'content-encoding': encoding })).toEqual(
      unsupported,
    );
  for (const charset of ['latin1', '"UTF-16"', 'nonsense']) {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    expect(await post('{"title":"T"}', headers), charset).toEqual(unsupported);
  }
  // A truncated character, and an overlong form.
  for (const bytes of [
    [0xf0, 0x9f, 0x90],
    [0xc0, 0xaf],
  ]) {
    const head = new TextEncoder().encode('{"title":"');
    expect(await post(Uint8Array.from([...head, ...bytes, 0x22, 0x7d]))).toEqual(unsupported);
  }
});

test('a body that is no object lacks every required field', async () => {
  for (const body of ['[{"title":"T"}]', '"x"', 'null'])
    expect(await backoffice.api.post('/issues', body)).toEqual(errorResponse(400, 'Title is required'));
});

describe('a body that stalls', () => {
  const hurried = backofficeHere({}, { requestTimeoutMs: 1_000 });

  /** Announces a body, sends only its start, and returns what comes back until the service closes the connection. */
  async function stall(start: string, ...headers: string[]): Promise<string> {
    const { hostname, port, host } = new URL(hurried.service.url);
    const socket = connect(Number(port), hostname);
    const own = [`Host: ${host}`, `Cookie: ${hurried.superadmin.cookie}`];
    const head = ['POST /api/admin/issues HTTP/1.1', ...own, ...headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n${start}`);
    return await text(socket);
  }

  test('is 408, and its connection is closed', async () => {
    const answers = await Promise.all([
      stall('{"title":', 'Content-Length: 100'),
      stall('5\r\n{"tit\r\n', 'Transfer-Encoding: chunked'),
      stall('', 'Content-Length: 100'),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is);
      expect(answer.split('\r\n\r\n')[1]).toBe(
        '{"error":"The request body did not arrive in time. Send the request again."}',
      );
    }
    expect(await hurried.api.get('/issues')).toMatchObject({ body: { issues: [] } });
  });
});
