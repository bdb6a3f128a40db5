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

const created = { status: 200, body: { success: true, id: expect.any(Number) } };
const unsupported = errorResponseLike(415, /UTF-8/);

describe('a body', () => {
  const mebibyte = 1024 * 1024;
  const sized = (bytes: number) => {
    const frame = JSON.stringify({ title: 'T', ignored: '' }).length;
    return JSON.stringify({ title: 'T', ignored: 'x'.repeat(bytes - frame) });
  };

  test('of 1 MiB is accepted', async () => {
    expect(await post(sized(mebibyte))).toEqual(created);
  });

  test('of one byte more is 413', async () => {
    expect(await post(sized(mebibyte + 1))).toEqual(errorResponseLike(413, /1 MiB/));
  });

  test('is measured in bytes, not in characters', async () => {
    expect(await post(JSON.stringify({ title: '🐛'.repeat(mebibyte / 4) }))).toEqual(
      errorResponseLike(413, /1 MiB/),
    );
  });

  test('is rejected by its Content-Length before it is read', async () => {
    const answer = await sendHead(
      backoffice.service.url,
      [
        'POST /api/admin/issues HTTP/1.1',
        `Cookie: ${backoffice.superadmin.cookie}`,
        'Content-Length: 1073741824',
      ],
      /1 MiB/,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('the body of a sign-in, which needs no session,', () => {
  const maxBytes = 16 * 1024;
  const tooLarge = errorResponse(413, 'The request body must not be larger than 16 KiB.');
  const signIn = (body: string) => apiAs(backoffice.service.url).post('/session', body);
  const sized = (bytes: number) => {
    const credentials = { email: backoffice.superadmin.email, password, extra: '' };
    const extra = 'x'.repeat(bytes - JSON.stringify(credentials).length);
    return JSON.stringify({ ...credentials, extra });
  };

  test('of 16 KiB is accepted', async () => {
    expect(await signIn(sized(maxBytes))).toMatchObject({ status: 200 });
  });

  test('of one byte more is 413, also with a session', async () => {
    expect(await signIn(sized(maxBytes + 1))).toEqual(tooLarge);
    expect(await backoffice.api.post('/session', sized(maxBytes + 1))).toEqual(tooLarge);
  });

  test('of one byte more is 413, also without a Content-Length', async () => {
    const response = await backoffice.service.fetch('/api/admin/session', {
      method: 'POST',
      body: new Blob([sized(maxBytes + 1)]).stream(),
      duplex: 'half',
    });
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

describe('an encoded body is 415', () => {
  test.for(['gzip', 'deflate', 'br', 'x-unknown'])('content-encoding: %s', async (encoding) => {
    expect(await post(new Uint8Array(gzipSync(issue)), { 'content-encoding': encoding })).toEqual(
      unsupported,
    );
  });

  test('content-encoding: identity is accepted', async () => {
    expect(await post(issue, { 'content-encoding': 'identity' })).toEqual(created);
  });
});

describe('a body in another charset is 415', () => {
  test.for(['latin1', 'iso-8859-1', 'utf-16', 'utf-16le', '"UTF-16"', 'us-ascii', 'nonsense'])(
    'charset=%s',
    async (charset) => {
      expect(await post('{"title":"T"}', { 'content-type': `application/json; charset=${charset}` })).toEqual(
        unsupported,
      );
    },
  );

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
  test.for([
    undefined,
    'application/json',
    'APPLICATION/JSON',
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    ';;',
  ])('%j is parsed as JSON', async (type) => {
    expect(await post(issue, type === undefined ? {} : { 'content-type': type })).toEqual(created);
  });

  test('a byte order mark is ignored', async () => {
    expect(await post(`\u{feff}${issue}`)).toEqual(created);
  });
});

test('UTF-8 text is stored and returned unchanged', async () => {
  await post(issue);
  const list = await backoffice.superadmin.client.call('issues.list');
  expect('issues' in list && list.issues.some(({ title }) => title === 'Ünïcode 🐛')).toBe(true);
});

describe('JSON that is not an object lacks every required field', () => {
  test.for(['[]', '[{"title":"T"}]', '"x"', '5', 'null', 'true'])('%s', async (body) => {
    const { api } = backoffice;
    expect(await api.post('/issues', body)).toEqual(errorResponse(400, 'Title is required'));
    expect(await api.put('/issues', body)).toEqual(errorResponse(400, 'id and status are required'));
    expect(await api.post('/conversations', body)).toEqual(
      errorResponse(400, 'Visitor email and name are required.'),
    );
    expect(await api.put('/settings', body)).toEqual(errorResponse(400, 'key and value are required'));
    expect(await api.post('/admins', body)).toEqual(errorResponse(400, 'Email and password are required.'));
    expect(await api.put('/admins', body)).toEqual(errorResponse(400, 'Admin ID is required.'));
  });
});

describe('a body that stalls', () => {
  const hurried = backofficeHere({}, { requestTimeoutMs: 1_000 });

  /** Announces a body, sends only its start, and returns what comes back until the service closes the connection. */
  async function stall(start: string, ...headers: string[]): Promise<string> {
    const { hostname, port, host } = new URL(hurried.service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      'POST /api/admin/issues HTTP/1.1',
      `Host: ${host}`,
      `Cookie: ${hurried.superadmin.cookie}`,
      ...headers,
    ];
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
