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

describe('a body', () => {
  const mebibyte = 1024 * 1024;
  const tooLarge = errorResponseLike(413, /1 MiB/);

  test('of 1 MiB is accepted, and of one byte more is 413, measured in bytes, not in characters', async () => {
    expect(await post(sized(mebibyte, { title: 'T' }))).toEqual(created);
    expect(await post(sized(mebibyte + 1, { title: 'T' }))).toEqual(tooLarge);
    expect(await post(JSON.stringify({ title: '🐛'.repeat(mebibyte / 4) }))).toEqual(tooLarge);
  });

  test('is rejected by its Content-Length before it is read', async () => {
    const { service, superadmin } = backoffice;
    const cookie = `Cookie: ${superadmin.cookie}`;
    const head = ['POST /api/admin/issues HTTP/1.1', cookie, 'Content-Length: 1073741824'];
    expect(await sendHead(service.url, head, /1 MiB/)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('the body of a sign-in, which needs no session,', () => {
  const maxBytes = 16 * 1024;
  const tooLarge = errorResponse(413, 'The request body must not be larger than 16 KiB.');
  const signIn = (body: string) => apiAs(backoffice.service.url).post('/session', body);
  const credentials = (bytes: number) => sized(bytes, { email: backoffice.superadmin.email, password });

  test('of 16 KiB is accepted, and of one byte more is 413, also with a session', async () => {
    expect(await signIn(credentials(maxBytes))).toMatchObject({ status: 200 });
    expect(await signIn(credentials(maxBytes + 1))).toEqual(tooLarge);
    expect(await backoffice.api.post('/session', credentials(maxBytes + 1))).toEqual(tooLarge);
  });

  test('of one byte more is 413, also without a Content-Length', async () => {
    const body = new Blob([credentials(maxBytes + 1)]).stream();
    const init = { method: 'POST', body, duplex: 'half' } as const;
    const response = await backoffice.service.fetch('/api/admin/session', init);
    expect({ status: response.status, body: await response.json() }).toEqual(tooLarge);
  });

  test('is rejected by its Content-Length before it is read', async () => {
    const head = ['POST /api/admin/session HTTP/1.1', `Content-Length: ${maxBytes + 1}`];
    expect(await sendHead(backoffice.service.url, head, /16 KiB/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('has room for the longest credentials with each character escaped', async () => {
    const escaped = (text: string) =>
      text.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const longest = `{"email":"${escaped('é'.repeat(320))}","password":"${escaped('🔑'.repeat(1024))}"}`;
    expect(await signIn(longest)).toEqual(errorResponse(401, 'Invalid email or password.'));
  });
});

describe('an encoded body, or one in another charset, is 415', () => {
  test.for(['gzip', 'deflate', 'br', 'x-unknown'])('content-encoding: %s', async (encoding) => {
    const body = new Uint8Array(gzipSync(issue));
    expect(await post(body, { 'content-encoding': encoding })).toEqual(unsupported);
  });

  test('content-encoding: identity is accepted', async () => {
    expect(await post(issue, { 'content-encoding': 'identity' })).toEqual(created);
  });

  const charsets = ['latin1', 'iso-8859-1', 'utf-16', 'utf-16le', '"UTF-16"', 'us-ascii', 'nonsense'];

  test.for(charsets)('charset=%s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    expect(await post('{"title":"T"}', headers)).toEqual(unsupported);
  });

  test.for(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('charset=%s is accepted', async (charset) => {
    expect(await post(issue, { 'content-type': `application/json;charset=${charset}` })).toEqual(created);
  });

  test.for([
    ['a byte that UTF-8 never uses', [0x22, 0xff, 0x22]],
    ['a truncated character', [0x22, 0xf0, 0x9f, 0x90, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ] as const)('invalid UTF-8 without a charset: %s', async ([, bytes]) => {
    const head = new TextEncoder().encode('{"title":');
    expect(await post(Uint8Array.from([...head, ...bytes, 0x7d]))).toEqual(unsupported);
  });
});

describe('the content type', () => {
  const form = 'application/x-www-form-urlencoded';

  test.for([undefined, 'application/json', 'APPLICATION/JSON', 'text/plain', form, '', ';;'])(
    '%j is parsed as JSON',
    async (type) => {
      expect(await post(issue, type === undefined ? {} : { 'content-type': type })).toEqual(created);
    },
  );

  test('is UTF-8, which is stored and returned unchanged, without a byte order mark', async () => {
    const { body } = await post(`\u{feff}${issue}`);
    const { id } = body as { id: number };
    expect(await backoffice.superadmin.client.call('issues.list', { id })).toMatchObject({
      issues: [{ title: 'Ünïcode 🐛' }],
    });
  });
});

test.for(['[]', '[{"title":"T"}]', '"x"', '5', 'null', 'true'])(
  '%s, which is no object, lacks every required field',
  async (body) => {
    const { api } = backoffice;
    expect(await api.post('/issues', body)).toEqual(errorResponse(400, 'Title is required'));
    expect(await api.put('/issues', body)).toEqual(errorResponse(400, 'id and status are required'));
    expect(await api.post('/conversations', body)).toEqual(
      errorResponse(400, 'Visitor email and name are required.'),
    );
    expect(await api.put('/settings', body)).toEqual(errorResponse(400, 'key and value are required'));
    expect(await api.post('/admins', body)).toEqual(errorResponse(400, 'Email and password are required.'));
    expect(await api.put('/admins', body)).toEqual(errorResponse(400, 'Admin ID is required.'));
  },
);

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
    expect(await hurried.api.get('/issues')).toMatchObject({ body: { issues: [] } });
  });
});
